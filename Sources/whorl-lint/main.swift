import Lint
import Linux
OwnProcess.exit(0)
