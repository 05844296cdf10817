// Tests of devices: only their user, an administrator and the app add and remove them.
import Chat
import Testing

struct Devices {
  let phone = Device.Key("bo", "phone")
  let info = Device.Info(name: "Bo’s phone", pushService: "apn", pushToken: "c0ffee")

  @Test(arguments: [Author.bo, .root, .system])
  func `a user, an administrator and the app add a device and remove it`(actor: Author) {
    Scene.general.when(.device(phone, .remove), by: actor).thenNothing()
    Scene.general.when(.device(phone, .add(info)), by: actor).then(.device(phone, .added(info)))
      .when(.device(phone, .remove), by: actor).then(.device(phone, .removed))
  }

  @Test func `adding a known device replaces its token`() {
    let other = Device.Info(name: info.name, pushService: info.pushService, pushToken: "decaf")
    let scene = Scene.general.and(.device(phone, .add(info)), by: .bo, at: .start)
      .when(.device(phone, .add(other)), by: .bo, at: .start.plus(1)).then(.device(phone, .added(other)))
    #expect(scene.state[phone]?.info == other)
    #expect(scene.state[phone]?.added == .start, "it was added before")
  }

  @Test func `a removed device is added again`() {
    let scene = Scene.general.and(.device(phone, .add(info)), .device(phone, .remove), by: .bo)
      .and(.device(phone, .add(info)), by: .bo, at: .start.plus(5))
    #expect(scene.state[phone]?.added == .start.plus(5))
  }

  @Test func `devices of two users can have the same id`() {
    let scene = Scene.general.and(.device(phone, .add(info)), by: .bo)
    let other = Device.Key("cy", "phone")
    scene.when(.device(other, .remove), by: .cy).thenNothing()
    scene.when(.device(other, .add(info)), by: .cy).then(.device(other, .added(info)))
  }

  @Test(arguments: [Device.Intent.add(Device.Info(name: "Mine")), .remove])
  func `others change no device of a user`(intent: Device.Intent) {
    let scene = Scene.general.and(.device(phone, .add(info)), by: .bo)
    scene.when(.device(phone, intent), by: .ada).thenRefused(.notYours("bo"))
    scene.when(.device(Device.Key("eve", "phone"), intent), by: .ada).thenRefused(.unknownUser("eve"))
    scene.when(.device(phone, intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.when(.device(Device.Key("eve", "phone"), intent), by: .user("ghost")).thenRefused(.unknownUser("ghost"))
    scene.and(.user("bo", .deactivate)).when(.device(phone, intent), by: .bo).thenRefused(.userDeactivated("bo"))
  }

  @Test func `the information about a device is limited to lines`() {
    let scene = Scene.general { $0.limits.lineByteCountMax = 8 }
    let fitting = Device.Info(name: "8 bytes.", pushService: "8 bytes.", pushToken: "8 bytes.")
    scene.when(.device(phone, .add(fitting)), by: .bo).then(.device(phone, .added(fitting)))
    let long: UserText = "nine char"
    let infos = [
      Device.Info(name: long), Device.Info(name: "", pushService: long), Device.Info(name: "", pushToken: long),
    ]
    for info in infos {
      scene.when(.device(phone, .add(info)), by: .bo).thenRefused(.tooLarge(.lineByteCount, count: 9, max: 8))
    }
  }
}
