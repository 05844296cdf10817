// The texts of generated messages: sentences in several languages and scripts, emoji, names, snippets.
internal import RandomNumbers

/// The phrases of one language.
struct Phrases: Sendable {
  /// Whole sentences of the language.
  let sentences: [String]
  /// Short replies of the language.
  let short: [String]

  /// The languages of users, weighted by their number of entries.
  static let spoken: [Phrases] = [
    english, english, english, english, german, german, spanish, french, portuguese, greek, russian, arabic, hebrew,
    hindi, japanese, chinese, korean,
  ]

  private static let english = Phrases(
    sentences: [
      "Has anybody seen the notes from yesterday?", "I will be ten minutes late, start without me.",
      "The tests pass on my machine.", "Can we move this to Thursday?", "That sounds like a plan.",
      "I do not think we should ship it before the review.", "Lunch at one?", "The printer is out of paper again.",
      "Who is on call this weekend?", "It works now, no idea why.", "Could you have a look at the third page?",
      "I have put the pictures into the folder.", "We are missing two chairs.", "Great work, everybody!",
      "Let me check and come back to you.", "The train is late, as ever.", "What did she say about the budget?",
      "I would rather wait until we have numbers.", "Please do not restart the server before noon.",
      "There is cake in the kitchen.", "Sorry, wrong channel.", "Does this also happen when you are offline?",
      "I have written down what we agreed on, please read it.", "The meeting is in the small room.",
    ],
    short: ["ok", "yes", "no", "thanks!", "done", "on it", "same here", "nice", "why?", "see you", "+1", "brb"])

  private static let german = Phrases(
    sentences: [
      "Wer kommt heute Abend mit?", "Ich schaue mir das morgen früh an.", "Die Straße ist schon wieder gesperrt.",
      "Können wir das bitte kürzer fassen?", "Das Schlüsselwort fehlt noch.", "Bin gleich zurück.",
      "Schöne Grüße aus Köln!", "Der Entwurf liegt im Ordner, bitte ansehen.", "Das geht so leider nicht.",
      "Übermorgen wäre mir lieber.",
    ], short: ["ja", "nein", "passt", "danke", "genau", "gern", "stimmt", "bis gleich"])

  private static let spanish = Phrases(
    sentences: [
      "¿Quién trae el café?", "Mañana lo vemos con más calma.", "Ya está arreglado.", "¡Qué buena noticia!",
      "El niño está enfermo, hoy trabajo desde casa.", "No encuentro el archivo.", "Nos vemos a las ocho.",
    ], short: ["vale", "sí", "gracias", "claro", "listo"])

  private static let french = Phrases(
    sentences: [
      "On se retrouve devant l’entrée ?", "J’ai relu le texte, il reste deux fautes.", "C’est déjà réglé.",
      "Où est passé le café ?", "Je préfère attendre la réponse du garçon.", "À demain, sans faute !",
    ], short: ["d’accord", "merci", "oui", "non", "voilà"])

  private static let portuguese = Phrases(
    sentences: [
      "A reunião começa às nove.", "Não consigo abrir o ficheiro.", "Amanhã há pão fresco.", "Já falei com o João.",
      "Vamos embora?",
    ], short: ["sim", "não", "obrigado", "pronto"])

  private static let greek = Phrases(
    sentences: ["Καλημέρα σε όλους!", "Πού είναι η παραλία;", "Θα το δω αύριο το πρωί.", "Όλα πάνε καλά."],
    short: ["ναι", "όχι", "ευχαριστώ"])

  private static let russian = Phrases(
    sentences: [
      "Кто сегодня дежурит?", "Я посмотрю завтра утром.", "Всё уже работает, спасибо.", "Где лежат документы?",
      "Поезд опять опаздывает.",
    ], short: ["да", "нет", "спасибо", "готово"])

  private static let arabic = Phrases(
    sentences: ["صباح الخير للجميع", "أين الملف الجديد؟", "سأصل بعد عشر دقائق", "شكرا جزيلا على المساعدة"],
    short: ["نعم", "لا", "شكرا"])

  private static let hebrew = Phrases(
    sentences: ["בוקר טוב לכולם", "מי מביא את הקפה?", "אני אבדוק ואחזור אליך", "הכול עובד עכשיו"],
    short: ["כן", "לא", "תודה"])

  private static let hindi = Phrases(
    sentences: ["आज की बैठक कब है?", "मैं कल सुबह देखूँगा।", "सब ठीक चल रहा है।", "फ़ाइल कहाँ रखी है?"],
    short: ["हाँ", "नहीं", "धन्यवाद"])

  private static let japanese = Phrases(
    sentences: ["おはようございます。", "会議は三時からです。", "ファイルはどこですか？", "明日確認します。", "電車が遅れています。"],
    short: ["はい", "了解です", "ありがとう"])

  private static let chinese = Phrases(
    sentences: ["大家早上好。", "文件在哪里？", "我明天早上看一下。", "会议改到星期四。", "测试已经通过了。"],
    short: ["好的", "谢谢", "收到"])

  private static let korean = Phrases(
    sentences: ["좋은 아침입니다!", "회의는 몇 시에 시작하나요?", "내일 확인해 보겠습니다.", "파일을 보냈습니다."],
    short: ["네", "아니요", "감사합니다"])

  /// Emoji of one, two and many scalars.
  static let emoji = ["👍", "😂", "🎉", "❤️", "🙏", "👩🏽‍💻", "🇪🇺", "👨‍👩‍👧‍👦", "🤷🏻‍♀️", "☕️", "🚀", "😅"]

  /// The names of users.
  static let names = [
    "Ada", "Ben", "Cleo", "Dmitri", "Élise", "Farid", "Grace", "Hana", "Ivo", "Jürgen", "Kofi", "Lena", "Miguel",
    "Noor",
    "Olga", "Priya", "Quentin", "Rosa", "Søren", "Tomás", "Uma", "Vera", "Wei", "Ximena", "Yuki", "Zoë",
  ]

  /// The topics of channels.
  static let topics = [
    "general", "lunch", "release", "support", "design", "music", "books", "travel", "garden", "on-call", "random",
    "standup",
  ]

  /// Texts other than sentences.
  static let snippets = [
    "https://example.org/notes/42", "https://example.org/a?b=c#d", "```\nlet answer = 42\n```", "`swift build`", "§ 12",
  ]
}

extension SplitMix64 {
  /// Returns the text of one message.
  mutating func message(_ phrases: Phrases) -> String {
    if happens(180) { return happens(300) ? one(of: Phrases.emoji) : one(of: phrases.short) }
    let isLong = happens(40)
    let count = isLong ? number(4...12) : happens(250) ? number(2...3) : 1
    var text = one(of: phrases.sentences)
    for _ in 1..<max(count, 1) { text += (isLong && happens(300) ? "\n\n" : " ") + one(of: phrases.sentences) }
    if happens(40) { text += " " + one(of: Phrases.snippets) }
    if happens(120) { text += " " + one(of: Phrases.emoji) }
    return text
  }
}
