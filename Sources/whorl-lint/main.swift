import Linux

guard BlockingStream.fillGaps() else { OwnProcess.exit(1) }
OwnProcess.exit(await LintCommand.run(OwnProcess.arguments))
