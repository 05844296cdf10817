// Tests of users: creation, changes, roles and deactivation, who may, and the row.
import Chat
import Testing

struct Users {
  let profile = User.Profile(name: "Eve", image: "https://pictures.example/eve.png", extra: ["team": "red"])
  let eve = Author.user("eve")

  // MARK: Create

  @Test func `any user creates themselves, as an ordinary user`() {
    Scene.general.when(.user("eve", .create(profile)), by: eve).then(.user("eve", .created(profile, .user)))
  }

  @Test(arguments: [Author.system, .root])
  func `the app and administrators create others`(actor: Author) {
    Scene.general.when(.user("eve", .create(profile)), by: actor).then(.user("eve", .created(profile, .user)))
  }

  @Test func `an ordinary user creates no other user`() {
    Scene.general.when(.user("eve", .create(profile)), by: .ada).thenRefused(.notAdministrator)
  }

  @Test func `a user who does not exist creates no other user`() {
    Scene.general.when(.user("eve", .create(profile)), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    Scene.general.when(.user("ada", .create(profile)), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
  }

  @Test func `an id is used once`() {
    let scene = Scene.general.and(.user("eve", .create(profile)))
    scene.when(.user("eve", .create(profile)), by: eve).thenNothing()
    scene.when(.user("eve", .create(User.Profile(name: "Eva"))), by: eve).thenRefused(.userExists("eve"))
    scene.when(.user("eve", .create(User.Profile(name: "Eva"))), by: .system).thenRefused(.userExists("eve"))
  }

  // MARK: Change

  @Test(arguments: [Author.bo, .root, .system])
  func `a user, an administrator and the app change the profile`(actor: Author) {
    Scene.general.when(.user("bo", .change(profile)), by: actor).then(.user("bo", .changed(profile)))
  }

  @Test func `a picture and extra values are removed`() {
    let plain = User.Profile(name: "Eve")
    Scene.general.and(.user("bo", .change(profile))).when(.user("bo", .change(plain)), by: .bo)
      .then(.user("bo", .changed(plain)))
  }

  @Test func `a name in other bytes is a change`() {
    let scene = Scene.general.and(.user("bo", .change(User.Profile(name: "Ren\u{E9}"))))
    let other = User.Profile(name: "Rene\u{301}")
    scene.when(.user("bo", .change(other)), by: .bo).then(.user("bo", .changed(other)))
  }

  @Test func `others change nothing of a user`() {
    Scene.general.when(.user("bo", .change(profile)), by: .ada).thenRefused(.notYours("bo"))
  }

  @Test func `a profile has limits`() {
    let scene = Scene {
      $0.limits.nameLengthMax = 3
      $0.limits.lineByteCountMax = 8
      $0.limits.extraByteCountMax = 9
      $0.limits.extraDepthMax = 2
    }
    func refuses(_ profile: User.Profile, _ limit: Refusal.Limit, _ count: Int, _ max: Int) {
      let refusal = Refusal.tooLarge(limit, count: count, max: max)
      scene.when(.user("eve", .create(profile)), by: eve).thenRefused(refusal)
      scene.and(.user("eve", .create(User.Profile(name: "e"))))
        .when(.user("eve", .change(profile)), by: eve).thenRefused(refusal)
    }
    let largest = User.Profile(name: "äöü", image: "8 bytes.", extra: ["a": .list([true])])
    scene.when(.user("eve", .create(largest)), by: eve).thenRefused(
      .tooLarge(.extraByteCount, count: 17, max: 9))
    let fitting = User.Profile(name: "äöü", image: "8 bytes.", extra: ["a": .list([])])
    scene.when(.user("eve", .create(fitting)), by: eve).then(.user("eve", .created(fitting, .user)))
    refuses(User.Profile(name: "eves"), .nameLength, 4, 3)
    // One character of nine bytes.
    refuses(User.Profile(name: "e\u{301}\u{301}\u{301}\u{301}"), .lineByteCount, 9, 8)
    refuses(User.Profile(name: "e", image: "nine char"), .lineByteCount, 9, 8)
    refuses(User.Profile(name: "e", extra: ["ab": 1]), .extraByteCount, 10, 9)
  }

  @Test func `an app's values are limited in depth by the rules and by the stored form`() {
    func deep(_ levels: Int) -> User.Profile {
      var value = Extra.Value.list([])
      for _ in 1..<levels { value = .list([value]) }
      return User.Profile(name: "e", extra: ["a": value])
    }
    let scene = Scene { $0.limits.extraDepthMax = 3 }
    scene.when(.user("eve", .create(deep(3))), by: eve).then(.user("eve", .created(deep(3), .user)))
    scene.when(.user("eve", .create(deep(4))), by: eve).thenRefused(.tooLarge(.extraDepth, count: 4, max: 3))
    let generous = Scene { $0.limits.extraDepthMax = 1000 }
    generous.when(.user("eve", .create(deep(32))), by: eve).then(.user("eve", .created(deep(32), .user)))
    generous.when(.user("eve", .create(deep(33))), by: eve)
      .thenRefused(.tooLarge(.extraDepth, count: 33, max: 32))
  }

  // MARK: Roles

  @Test(arguments: [Author.root, .system])
  func `an administrator and the app change roles`(actor: Author) {
    Scene.general.when(.user("bo", .changeRole(.admin)), by: actor).then(.user("bo", .roleChanged(.admin)))
    Scene.general.when(.user("bo", .changeRole(.user)), by: actor).thenNothing()
  }

  @Test func `users do not change their own role`() {
    Scene.general.when(.user("bo", .changeRole(.admin)), by: .bo).thenRefused(.notAdministrator)
    Scene.general.when(.user("ada", .changeRole(.admin)), by: .ada).thenRefused(.notAdministrator)
  }

  // MARK: Deactivate

  @Test(arguments: [Author.root, .system])
  func `an administrator and the app deactivate and reactivate`(actor: Author) {
    let scene = Scene.general
    scene.when(.user("bo", .reactivate), by: actor).thenNothing()
    scene.when(.user("bo", .deactivate), by: actor).then(.user("bo", .deactivated))
      .when(.user("bo", .reactivate), by: actor).then(.user("bo", .reactivated))
  }

  @Test func `others neither deactivate nor reactivate, not even themselves`() {
    let scene = Scene.general.and(.user("cy", .deactivate))
    scene.when(.user("bo", .deactivate), by: .ada).thenRefused(.notAdministrator)
    scene.when(.user("bo", .deactivate), by: .bo).thenRefused(.notAdministrator)
    scene.when(.user("cy", .reactivate), by: .ada).thenRefused(.notAdministrator)
    scene.when(.user("cy", .reactivate), by: .cy).thenRefused(.userDeactivated("cy"))
  }

  @Test func `a deactivated administrator is refused everything`() {
    let scene = Scene.general.and(.user("root", .deactivate))
    for intent in [User.Intent.deactivate, .changeRole(.admin), .change(profile)] {
      scene.when(.user("bo", intent), by: .root).thenRefused(.userDeactivated("root"))
    }
    scene.when(.user("eve", .create(profile)), by: .root).thenRefused(.userDeactivated("root"))
  }

  @Test func `a deactivated user keeps their id`() {
    let scene = Scene.general.and(.user("cy", .deactivate))
    scene.when(.user("cy", .create(User.Profile(name: "Cyd"))), by: .cy).thenRefused(.userExists("cy"))
    #expect(scene.state["cy" as User.ID]?.isDeactivated == true)
  }

  // MARK: Who is not there

  @Test func `intents on an unknown user are refused`() {
    let intents = [User.Intent.change(profile), .changeRole(.admin), .deactivate, .reactivate]
    for (intent, actor) in intents.flatMap({ intent in [Author.ada, .system].map { (intent, $0) } }) {
      Scene.general.when(.user("eve", intent), by: actor).thenRefused(.unknownUser("eve"))
    }
  }

  @Test func `an unknown user learns nothing about existing users`() {
    for id in ["ada", "ghost", "nobody"] as [User.ID] {
      for intent in [User.Intent.change(profile), .changeRole(.admin), .deactivate, .reactivate] {
        Scene.general.when(.user(id, intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
      }
    }
  }

  // MARK: The row

  @Test func `the row has the times of creation and of the last change`() {
    let scene = Scene().and(.user("eve", .create(profile)), at: .start)
    let row = scene.state["eve" as User.ID]
    #expect(row?.profile == profile && row?.role == .user && row?.isDeactivated == false)
    #expect(row?.created == .start && row?.changed == .start)
    let intents = [User.Intent.change(User.Profile(name: "E")), .changeRole(.guest), .deactivate, .reactivate]
    for (seconds, intent) in zip(1..., intents) {
      let later = Timestamp.start.plus(Int64(seconds))
      let row = scene.and(.user("eve", .deactivate), at: .start).and(.user("eve", .reactivate), at: .start)
        .and(.user("eve", intent == .reactivate ? .deactivate : .reactivate), at: .start)
        .and(.user("eve", intent), at: later).state["eve" as User.ID]
      #expect(row?.created == .start && row?.changed == later)
    }
  }
}
