import SecretMemory
import Testing
import Transfer

/// What other programs export.
struct FileTests {
  private func secret(_ text: String) throws -> SecretBytes {
    try SecretBytes(copying: Array(text.utf8).span)
  }

  private func text(_ secret: SecretBytes) -> String {
    String(
      decoding: secret.withBytes { secret in secret.indices.map { secret[$0] } }, as: UTF8.self)
  }

  @Test(arguments: [
    ("a,b\n1,2\n", [["1", "2"]]), ("a,b\r\n1,2", [["1", "2"]]), ("\u{feff}a\n1\n", [["1"]]),
    ("a,b\n\"x,\"\"y\"\"\nz\",\n", [["x,\"y\"\nz", ""]]), ("a,b\n,\n\n\n", [["", ""]]),
    ("a\n\"\"\n", [[""]]), ("a,b\n\"\"\"\",\"\"\n", [["\"", ""]]), ("a\nx\ry\n", [["x\ry"]]),
  ])
  func `a table is read as its standard has it`(_ input: String, _ rows: [[String]]) throws {
    let table = try SecretTable(try secret(input))
    // An empty line is no row, also where it is written as an empty field.
    #expect(table.rows.map { $0.map(text) } == rows.filter { $0 != [""] })
  }

  @Test(arguments: [
    ("", 1), ("a,b\n1\n", 2), ("a\n\"x\n", 3), ("a\n\"x\"y\n", 2), ("a,b\n1,2\n1,2,3", 3),
  ])
  func `what is no table is told with its line`(_ input: String, _ line: Int) throws {
    #expect(throws: FileError.malformed(line: line)) { _ = try SecretTable(try secret(input)) }
  }

  @Test(arguments: [
    (
      "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\"\n"
        + "\"Root\",\"Bank\",\"ann\",\"p,w\",\"https://b\",\"pin 1\",\"otpauth://x\",\"0\"\n",
      ["Bank/ann=p,w", "Bank/ann (totp)=otpauth://x", "Bank/ann (notes)=pin 1"], ["Icon"]
    ),
    (
      "folder,favorite,type,name,notes,fields,login_uri,login_username,login_password,login_totp\n"
        + ",,login,Mail,,,https://m,bob,pw,\n,,note,Safe,12-34,,,,,\n",
      ["Mail/bob=pw", "Safe (notes)=12-34"], ["favorite", "type", "fields"]
    ),
    (
      "Title,Url,Username,Password,OTPAuth,Notes\nA/B,u,,pw,,\nA/B,u,,pw,,\n",
      ["A/B=pw", "A/B=pw"], []
    ),
  ])
  func `the columns of password programs are known`(
    _ input: String, _ items: [String], _ unknown: [String]
  ) throws {
    let columns = try #require(PasswordColumns(try SecretTable(try secret(input))))
    let found = try columns.items()
    #expect(
      found.map { String(decoding: $0.item.name.bytes, as: UTF8.self) + "=" + text($0.secret) }
        == items)
    #expect(Set(found.map(\.item.source)).count == items.count)
    #expect(columns.unknown.map { String(decoding: $0, as: UTF8.self) } == unknown)
  }

  @Test func `the second of two columns that mean the same is told, and long fields stay apart`()
    throws
  {
    let two = "name,title,password,password\na,b,c,d\n"
    let columns = try #require(PasswordColumns(try SecretTable(try secret(two))))
    #expect(columns.unknown.map { String(decoding: $0, as: UTF8.self) } == ["name", "password"])
    let long = String(repeating: "x", count: 16_000)
    let rows = "title,username,password\n\(long),\(long)1,p\n\(long),\(long)2,p\n"
    let items = try #require(PasswordColumns(try SecretTable(try secret(rows)))).items()
    #expect(Set(items.map(\.item.source)).count == 2)
    #expect(items.allSatisfy { $0.item.source.count < 64 })
  }

  @Test func `lines are counted also where a quoted one ends in a backslash`() throws {
    #expect(throws: FileError.malformed(line: 3)) {
      _ = try EnvironmentFile(try secret("A=\"\\\n\"\n=x\n"))
    }
  }

  @Test func `what follows the password has a source that no other file has`() throws {
    let name = Array("web/bob".utf8)
    let entry = try PassEntry(name: name, text: try secret("hunter2\nlogin: bob\n"))
    #expect(entry.items.map { text($0.secret) } == ["hunter2", "login: bob\n"])
    let other = PassEntry.password(of: name + Array(" (notes)".utf8))
    #expect(!entry.items.map(\.item.source).contains(other.source))
  }

  @Test func `a table without passwords is none of theirs`() throws {
    #expect(PasswordColumns(try SecretTable(try secret("a,b\n1,2\n"))) == nil)
  }

  @Test(
    arguments: [
      ("A=1\nexport B=2\n", ["A=1", "B=2"]), ("# c\n\n  A = x", nil),
      ("A=x # c\nB=x#y", ["A=x", "B=x#y"]),
      ("A='a $B \\n'\n", ["A=a $B \\n"]), ("A=\"a\\n\\\"b\\\\\"\r\n", ["A=a\n\"b\\"]),
      ("A=\"two\nlines\" # c\nB=", ["A=two\nlines", "B="]), ("A", nil), ("A='x", nil), ("=x", nil),
      ("A='x'y", nil), ("A=\"x\\", nil), ("A=$(rm -rf)\n", ["A=$(rm -rf)"]),
    ] as [(String, [String]?)])
  func `an env file is assignments, and nothing is run`(_ input: String, _ items: [String]?) throws
  {
    guard let items else {
      #expect(throws: FileError.self) { _ = try EnvironmentFile(try secret(input)) }
      return
    }
    let file = try EnvironmentFile(try secret(input))
    #expect(
      file.assignments.map { String(decoding: $0.name, as: UTF8.self) + "=" + text($0.value) }
        == items)
  }
}
