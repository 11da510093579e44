import Testing
import Wire

@testable import Daemon

struct SecretBudgetTests {
  private let share = Limits.secretsPerUser

  @Test func `no user takes more than a share, and what is given back can be taken again`() {
    let budget = SecretBudget()
    #expect(budget.take(share, 5))
    #expect(!budget.take(1, 5))
    budget.giveBack(2, 5)
    #expect(budget.take(2, 5) && !budget.take(1, 5))
  }

  @Test func `what all others take leaves root its share`() {
    let budget = SecretBudget()
    let taken = (1...8).filter { budget.take(share, $0) }
    #expect(taken.count == Limits.secretsInAll / share - 1)
    #expect(budget.take(share / 2, 0))
    // What root has taken of it already is not kept for root twice.
    #expect(!budget.take(1, 9))
    #expect(budget.take(share / 2, 0))
    budget.giveBack(share, 1)
    #expect(budget.take(share, 9))
  }
}
