// Threat: a script writes something else than it meant, a retry is recorded twice, or a refusal is taken for a receipt.
import Foundation
import JSONLines
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

/// A workspace with Ada and Ben in the channel general.
private struct Chat {
  let folder = Folder()
  var path: String { folder("chat") }

  init() {
    precondition(verbatim("init", path).code == .done)
    let lines = [
      #"{"user":"ada","create":{"name":"Ada"}}"#, #"{"user":"ben","create":{"name":"Ben"}}"#,
      #"{"channel":"general","create":{"name":"General","members":["ada","ben"]}}"#,
    ]
    precondition(verbatim("submit", path, "--system", input: lines.joined(separator: "\n")).code == .done)
  }

  func submit(_ words: String..., as user: String = "ada") -> Run {
    verbatim(["submit", path, "--as", user] + words, input: [])
  }

  func submit(lines: String..., options: [String] = []) -> Run {
    verbatim(["submit", path, "--as", "ada"] + options, input: Array(lines.joined(separator: "\n").utf8))
  }

  /// The events of a type, as lines of JSON.
  func events(_ type: String) -> [JSON] {
    verbatim("events", path, "--json", "--type", type).lines.compactMap { try? JSONParser.parse(Array($0.utf8)) }
  }

  /// The texts of the sent messages.
  var texts: [String] { events("messageSent").compactMap { $0["event"]?["sent"]?["text"]?.text } }
}

extension Run {
  /// The code of the error in each line; `-` for a receipt.
  fileprivate var codes: [String] {
    lines.map { line in (try? JSONParser.parse(Array(line.utf8)))?["error"]?["code"]?.text ?? "-" }
  }
}

private let uuid = "0190aaaa-0000-7000-8000-000000000001"

@Suite struct `Submitting a verb` {
  private let chat = Chat()

  @Test func `the verbs of scenarios are submitted with the named author`() {
    #expect(chat.submit("say", "Who comes?", "in=general", "id=m1", as: "ben").code == .done)
    for words in [
      ["say", "I do = I", "in=general", "thread=m1"], ["react", "like", "to=m1", "in=general"],
      ["read", "m1", "in=general"], ["channel", "lunch", "members=ben", "name=At noon"],
      ["mute", "ben", "for=1d"], ["saveDraft", "Later", "in=lunch"], ["freeze", "in=lunch"],
      ["muteChannel", "true", "in=general"], ["remove", "ben", "in=lunch"],
    ] {
      let run = verbatim(["submit", chat.path, "--as", "ada@phone"] + words, input: [])
      #expect(run.code == .done && run.codes == ["-"], "\(words) \(run.errors)")
    }
    #expect(verbatim("submit", chat.path, "--system", "user", "zoe", "name=Zoe", "role=admin").code == .done)
    #expect(chat.submit("edit", "m1", "text=Who else?", "in=general", as: "ben").code == .done)
    #expect(chat.submit("delete", "m1", "in=general", "forGood=true", as: "ben").code == .done)
    #expect(chat.texts == ["Who comes?", "I do = I"])
    let reply = chat.events("messageSent")[1]
    #expect(reply["actor"]?.text == "ada" && reply["device"]?.text == "phone")
    #expect(reply["event"]?["sent"]?["parent"]?.text == "m1")
    #expect(chat.events("userRoleChanged").map { $0["actor"]?.text } == [nil])
    #expect(chat.events("messageDeleted")[0]["event"]?["deleted"]?.text == #"{"forGood":true}"#)
  }

  @Test func `a channel and a text are enough to send`() {
    #expect(chat.submit("send", "general", "Hello", as: "ada").code == .done)
    #expect(chat.submit("send", "general", "in thread=m1 = me", "id=m2", as: "ben").code == .done)
    #expect(chat.texts == ["Hello", "in thread=m1 = me"])
    let run = chat.submit("send", "general", as: "ada")
    #expect(run.code == .misused && run.errors.contains("“send” needs a channel and a text"))
  }

  @Test func `a verb with an id is recorded once`() {
    let words = ["say", "once", "in=general", "--id", uuid]
    let runs = (0..<3).map { _ in verbatim(["submit", chat.path, "--as", "ada"] + words, input: []).output }
    #expect(Set(runs).count == 1 && chat.texts == ["once"])
    #expect(runs[0].contains(#""messages":[{"channel":"general","id":"\#(uuid)"}]"#))
    let other = chat.submit("say", "twice", "in=general", "--id", uuid)
    #expect(other.code == .refused && other.codes == ["idReused"] && chat.texts == ["once"])
    // A duration from now would be another intent at the retry.
    let relative = chat.submit("mute", "ben", "for=1d", "--id", uuid)
    #expect(relative.code == .misused && relative.errors.contains("The time counts from now"))
  }

  // What broke: `publish` replaced the whole configuration of the channel, and `rename` the whole profile.
  @Test func `publishing and renaming change nothing else, and are not repeated with an id`() throws {
    let config = #"{"off":["quotes"],"messageLengthMax":70,"slowMode":9,"commands":["giphy"]}"#
    let given = verbatim(
      "submit", chat.path, "--system",
      input: """
        {"channel":"general","configure":\(config)}
        {"user":"ada","change":{"name":"Ada","image":"ada.png","extra":{"team":"A"}}}
        """)
    #expect(given.code == .done, "\(given.errors)")
    for isPublic in ["true", "false"] {
      #expect(verbatim("submit", chat.path, "--system", "publish", isPublic, "in=general").code == .done)
      let found = try #require(chat.events("channelConfigured").last?["event"]?["configured"])
      #expect(found["isPublic"]?.text ?? "false" == isPublic)
      for key in ["off", "messageLengthMax", "slowMode", "commands"] {
        #expect(found[key] == (try JSONParser.parse(Array(config.utf8)))[key], "\(key)")
      }
    }
    #expect(chat.submit("rename", "Ada L.").code == .done)
    #expect(chat.submit("rename", "Ada M.", "image=new.png").code == .done)
    let profiles = chat.events("userChanged").suffix(2).map { $0["event"]?["changed"] }
    #expect(profiles.map { $0?["name"]?.text } == ["Ada L.", "Ada M."])
    #expect(profiles.map { $0?["image"]?.text } == ["ada.png", "new.png"])
    #expect(profiles.map { $0?["extra"]?.text } == [#"{"team":"A"}"#, #"{"team":"A"}"#])
    for words in [["publish", "true", "in=general"], ["rename", "Ada"]] {
      let run = verbatim(["submit", chat.path, "--as", "ada", "--id", uuid] + words, input: [])
      #expect(run.code == .misused && run.errors.contains(" changes, so a retry with the same id would be other"))
    }
  }

  // What broke: the number of votes was read as a text, and every poll with it was refused.
  @Test func `a poll has the number of votes that is given`() {
    let run = chat.submit("poll", "When?", "options=Mon,Tue", "votes=2", "in=general")
    #expect(run.code == .done, "\(run.errors)")
    #expect(chat.events("pollOpened").map { $0["event"]?["pollOpened"]?["votesPerUserMax"]?.text } == ["2"])
    #expect(chat.submit("poll", "When?", "options=Mon,Tue", "votes=two", "in=general").code == .misused)
  }

  // What broke: a list of texts was divided at each comma, also where it was written as an array.
  @Test func `a list of texts is written with commas, or as an array where a text has one`() throws {
    #expect(chat.submit("poll", "Chess?", "in=general", "options=Yes,No").code == .done)
    #expect(chat.submit("poll", "When?", "in=general", #"options=["Now, at once","Later"]"#).code == .done)
    #expect(chat.submit("poll", "When?", "in=general", #"options=["Now"#).code == .misused)
    let options = chat.events("pollOpened").map { $0["event"]?["pollOpened"]?["options"]?.text ?? "" }
    try #require(options.count == 2)
    #expect(options[0].contains(#""Yes""#) && options[1].contains(#""Now, at once""#), "\(options)")
  }

  // What broke: the process was ended by a year that microseconds cannot count, and a number was recorded as another.
  @Test func `numbers that cannot be recorded as they are written are refused`() {
    let instant = chat.submit("saveDraft", "Later", "in=general", "editedAt=295000-01-01T00:00:00Z")
    #expect(instant.code == .misused)
    #expect(instant.errors.contains("must be an instant such as"))
    for number in ["1e999", "12345678901234567890"] {
      let extra = chat.submit("say", "Hello", "in=general", #"extra={"a":[{"b":\#(number)}]}"#)
      #expect(extra.code == .misused)
      #expect(extra.errors.contains("has the number \(number), which is too large"), "\(extra.errors)")
    }
    #expect(chat.submit("say", "Hello", "in=general", #"extra={"a":9223372036854775807,"b":1.5e3}"#).code == .done)
  }

  @Test func `all is marked read at once, and nothing where nothing is unread`() {
    for words in [
      ["say", "news", "id=m1", "in=general"], ["say", "a reply", "id=m2", "thread=m1", "in=general"],
      ["say", "more news", "in=general"],
    ] {
      #expect(verbatim(["submit", chat.path, "--as", "ben"] + words, input: []).code == .done)
    }
    #expect(verbatim("query", "unread", chat.path, "--as", "ada").output.contains("2"))
    let run = chat.submit("readAll", as: "ada")
    #expect(run.code == .done && run.codes == ["-"])
    #expect(chat.events("memberRead").count == 1)
    #expect(chat.submit("readAll", as: "ada").code == .done && chat.events("memberRead").count == 1)
    // What is unread at a retry is other messages.
    let repeated = chat.submit("readAll", "--id", uuid, as: "ada")
    #expect(repeated.code == .misused && repeated.errors.contains("What is unread changes"))
    #expect(verbatim("submit", chat.path, "--system", "readAll").errors.contains("Only a user can do this"))
  }

  @Test func `a refused verb has a receipt with code and values, and exit code 1`() {
    let run = chat.submit("say", "Hello", "in=general", as: "zoe")
    #expect(run.code == .refused && run.errors == "verbatim: There is no user zoe: create them first.\n")
    #expect(
      run.output == """
        {"error":{"code":"refused","values":{"refusal":"unknownUser","user":"zoe"},"sentence":"There is no user zoe: \
        create them first.","intent":0}}\n
        """)
    #expect(chat.texts.isEmpty)
  }

  @Test(arguments: [
    (["send", "Hello"], "“send” needs a channel and a text: write both, as in send general Hello."),
    (["picker", "media"], "“picker” cannot be submitted: it is only for scenarios; use “say” to send a message."),
    (["sya", "Hello"], "“sya” cannot be submitted: did you mean “say”?"),
    (["say"], "“say” needs a value, its text: add it."), (["say", "Hello"], "The channel is missing: add it,"),
    (["say", "Hello", "general"], "“general” of “say” is not a key with a value: write KEY=VALUE"),
    (["say", "Hello", "inn=general"], "“inn” is not a key of “say”: did you mean “in”?"),
    (["say", "Hello", "in=general", "in=x"], "“in” of “say” is given twice: leave one out."),
    (["say", "Hello", "as=ben"], "“as” and “device” are the option --as USER@DEVICE: leave them out"),
    (["say", "Hello", "in=general", "silent=yes"], "“silent” is “yes” and must be true or false."),
    (["say", "Hello", "in=general", "extra={"], "“extra” is not JSON (byte 2:"),
    (["say", "Hello", "in=a b"], "“in” of “say” is wrong:"), (["pin", "a b", "in=general"], "\"a b\" is not an id"),
    (["--id", uuid], "--id is for a verb: write “id” into the lines"),
    (["say", "Hello", "--keep-going"], "--keep-going is for lines of standard input"),
    (["say", "Hello", "--system"], "--as and --system both name the author: leave one out."),
    (["say", "Hello", "--id", "1"], "--id is “1” and must be a UUID."),
  ])
  func `wrong words are errors with a sentence, and record nothing`(words: [String], sentence: String) {
    let run = verbatim(["submit", chat.path, "--as", "ada"] + words, input: [])
    #expect(run.code == .misused && run.errors.hasPrefix("verbatim: " + sentence), "\(run.errors)")
    #expect(run.output.isEmpty && chat.texts.isEmpty)
  }

  @Test func `the author is a user, a user on a device, or the app`() throws {
    #expect(verbatim("submit", chat.path, "freeze", "in=general").errors.contains("--as is missing: name the user"))
    #expect(verbatim("submit", chat.path, "--system", "read", "m1", "in=general").errors.contains("Only a user can"))
    #expect(verbatim("submit", chat.path, "--as", "a b", "freeze").errors.contains("must be a user, as ada, or a user"))
    let author = try UserOnDevice(argument: "ada@example.org@")
    #expect(author.user == "ada@example.org" && author.device == nil)
    #expect(try UserOnDevice(argument: "a@b@phone").device == "phone")
    let missing = verbatim("submit", chat.folder("none"), "--as", "ada", "say", "Hello", "in=general")
    #expect(missing.code == .unable && !FileManager.default.fileExists(atPath: chat.folder("none")))
  }
}

@Suite struct `Submitting lines` {
  private let chat = Chat()

  @Test func `each line has a receipt in order`() {
    let run = chat.submit(
      lines: #"{"message":{"channel":"general","id":"m1"},"send":{"text":"Who?"}}"#, "",
      #"{"reaction":{"message":{"channel":"general","id":"m1"}},"add":{"kind":"like"}}"#,
      #"{"member":{"channel":"general","user":"ada"},"add":{}}"#,
      #"{"correlation":"c","cause":7,"message":{"channel":"general"},"send":{"text":"Me","parent":"m1"}}"#)
    #expect(run.code == .done && run.errors.isEmpty && run.values("line") == ["1", "3", "4", "5"])
    // Ada is a member already: nothing is recorded, and the position is that of the head.
    #expect(run.values("position").count == 4 && run.values("positions").count == 3)
    #expect(run.values("position")[1] == run.values("position")[2])
    #expect(run.lines[0].contains(#""messages":[{"channel":"general","id":"m1"}]"#))
    let reply = chat.events("messageSent")[1]
    #expect(reply["correlation"]?.text == "c" && reply["cause"]?.text == "7" && reply["actor"]?.text == "ada")
  }

  @Test(arguments: [[], ["--keep-going"]])
  func `a repeated id is recorded once, in one run and in the next`(options: [String]) {
    let intent = #"{"message":{"channel":"general"},"send":{"text":"once"}}"#
    let line = #"{"id":"\#(uuid)","intents":[\#(intent),\#(intent)]}"#
    func run() -> Run {
      verbatim(["submit", chat.path, "--as", "ada"] + options, input: Array("\(line)\n\(line)\n".utf8))
    }
    let first = run(), second = run()
    let receipts = (first.lines + second.lines).map { $0.drop { $0 != "," } }
    #expect(first.code == .done && receipts.count == 4 && Set(receipts).count == 1)
    #expect(chat.texts == ["once", "once"])
    #expect(first.lines[0].contains(#"{"channel":"general","id":"\#(uuid)-2"}"#))
  }

  @Test func `several intents of a line are recorded together or not at all`() {
    let good = #"{"message":{"channel":"general"},"send":{"text":"good"}}"#
    let empty = #"{"message":{"channel":"general"},"send":{"text":""}}"#
    let refused = chat.submit(lines: #"{"intents":[\#(good),\#(empty)]}"#)
    #expect(refused.code == .refused && refused.codes == ["refused"] && refused.lines[0].hasSuffix(#","intent":1}}"#))
    #expect(chat.texts.isEmpty)
    #expect(chat.submit(lines: #"{"intents":[\#(good),\#(good)]}"#).code == .done && chat.texts.count == 2)
    #expect(Set(chat.events("messageSent").map { $0["append"]?.text }).count == 1)
  }

  @Test func `the first line that is not accepted ends the command, unless it keeps going`() {
    let lines = [
      #"{"message":{"channel":"general"},"send":{"text":"a"}}"#, #"{"message":{"channel":"none"},"send":{"text":"b"}}"#,
      "nonsense", #"{"message":{"channel":"general"},"send":{"text":"c"}}"#,
    ].joined(separator: "\n")
    let stopped = chat.submit(lines: lines)
    #expect(stopped.code == .refused && stopped.codes == ["-", "refused"] && chat.texts == ["a"])
    #expect(stopped.errors.hasPrefix("verbatim: Line 2: There is no channel none"))
    #expect(stopped.errors.hasSuffix(" 1 line before it stays recorded.\n"))
    let whole = chat.submit(lines: lines, options: ["--keep-going"])
    #expect(whole.code == .refused && whole.codes == ["-", "refused", "invalidLine", "-"])
    #expect(whole.errors == "verbatim: 2 of 4 lines were not accepted: see their receipts.\n")
    #expect(chat.texts == ["a", "a", "c"])
  }

  @Test(arguments: [
    ("[]", "The line must be an object and is an array."), (#"{"id":"1"}"#, "“id” of the line is “1” and must be a"),
    ("{}", "The line has no row: add one of “user”, “device”"),
    (#"{"mesage":{},"send":{}}"#, "The line has no row: did you mean “message”?"),
    (#"{"message":{"channel":"general"}}"#, "The line must have one row and one intent and has “message”:"),
    (#"{"message":{},"user":"ada","send":{}}"#, "The line must have one row and one intent and has “message”, “user”,"),
    (#"{"message":{"channel":"general"},"snd":{}}"#, "“snd” is not an intent on “message”: did you mean “send”?"),
    (#"{"message":{"channel":"general"},"edit":{}}"#, "“id” of “message” is missing: add it."),
    (#"{"message":{"channel":"general","x":1},"send":{}}"#, "“x” is not a key of “message”: leave it out."),
    (#"{"message":{"channel":"general"},"send":{"txt":""}}"#, "“txt” is not a key of “send”: did you mean “text”?"),
    (#"{"message":{"channel":"general"},"send":{"text":1}}"#, "“text” of “send” must be a text and is a number."),
    (#"{"message":{"channel":"a b"},"send":{}}"#, "“channel” of “message” is wrong: \"a b\" is not an id:"),
    (#"{"message":{"channel":"general"},"send":{"kind":"odd"}}"#, "“odd” is not a value of “kind” of “send”:"),
    (#"{"composer":{},"record":{}}"#, "“composer” of the line cannot be submitted: use “draft”"),
    (#"{"intents":[]}"#, "“intents” of the line is empty: add an intent."),
    (#"{"intents":[{"user":"ada"}]}"#, "Intent 1 of the line must have one row and one intent"),
    (#"{"intents":[],"user":"ada"}"#, "“user” is beside “intents” in the line: leave one out."),
    (#"{"id":"\#(uuid)","draft":{"channel":"general"},"delete":{}}"#, "“editedAt” of “delete” is missing: add it."),
    (#"{"draft":{"channel":"general"},"update":{"content":{},"editedAt":"now"}}"#, "“editedAt” of “update” is “now”"),
    (#"{"mute":{"target":"ben"},"begin":{}}"#, "“target” of “mute” is “ben” and must be an object."),
    ("{\"user\":\"\u{FFFD}", "The line is not JSON ("),
  ])
  func `an invalid line is an error with its number and the cause`(line: String, sentence: String) throws {
    let run = chat.submit(lines: "", line)
    #expect(run.code == .misused && run.codes == ["invalidLine"], "\(run.output)")
    #expect(run.errors.hasPrefix("verbatim: Line 2: \(sentence)"), "\(run.errors)")
    let error = try JSONParser.parse(Array(run.lines[0].utf8))["error"]
    #expect(error?["sentence"]?.text.hasPrefix(sentence) == true && run.values("line") == ["2"])
  }
}

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"))
struct `A script that submits` {
  private let chat = Chat()

  /// Lines of messages with ids, each of which has its own text.
  private let lines = #"""
    lines() {
      for i in $(seq "$1" "$2"); do
        printf '{"id":"0190aaaa-0000-7000-8000-%012d","message":{"channel":"general"},"send":{"text":"%d"}}\n' $i $i
      done
    }

    """#

  @Test func `a receipt is written as soon as its line is durable, while the input stays open`() throws {
    let script = #"""
      coproc "$V" submit "$L" --as ada
      for i in 1 2 3; do
        lines $i $i >&"${COPROC[1]}"
        read -r -t 30 answer <&"${COPROC[0]}" && [[ $answer == *"\"line\":$i,"*"\"position\":"* ]] && echo "line $i"
        "$V" events "$L" --type messageSent | grep -c messageSent
      done
      """#
    #expect(try shell(lines + script, log: chat.path).output == "line 1\n1\nline 2\n2\nline 3\n3\n")
  }

  @Test func `two writers of the same lines at the same time record each once`() throws {
    let script = #"""
      lines 1 40 | "$V" submit "$L" --as ada > "$L.1" & lines 1 40 | "$V" submit "$L" --as ada --keep-going > "$L.2"
      code=$?; wait $! && echo "ended $code"; cmp "$L.1" "$L.2" && echo same
      """#
    #expect(try shell(lines + script, log: chat.path).output == "ended 0\nsame\n")
    #expect(chat.texts.count == 40 && Set(chat.texts).count == 40)
  }

  @Test func `a killed script that submits its lines again records each once`() throws {
    let script = #"""
      coproc "$V" submit "$L" --as ada
      pid=$COPROC_PID; exec 5<&"${COPROC[0]}"
      lines 1 60 >&"${COPROC[1]}"
      for i in {1..10}; do read -r -t 30 answer <&5; done
      kill -9 $pid; wait $pid 2> /dev/null
      lines 1 60 | "$V" submit "$L" --as ada | grep -c '"line":'
      """#
    #expect(try shell(lines + script, log: chat.path).output.hasSuffix("60\n"))
    #expect(chat.texts.compactMap { Int($0) } == Array(1...60))
    #expect(verbatim("log", "verify", chat.path).code == .done)
  }

  @Test func `a script whose output is closed learns what was recorded`() throws {
    let script = #"(lines 1 3 | "$V" submit "$L" --as ada; echo $? >&2) | exec true"#
    let run = try shell(lines + script, log: chat.path)
    #expect(run.output.hasSuffix("stay recorded.\n3\n"), "\(run.output)")
  }
}
