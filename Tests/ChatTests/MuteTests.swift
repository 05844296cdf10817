// Mutes: what is muted for how long, who may, and that an end is an end.
import Chat
import Testing

struct Mutes {
  let mute = Mute.Key(by: "ada", of: .user("bo"))

  @Test func `a user mutes another for good`() {
    Scene.general.when(.mute(mute, .begin(.endless)), by: .ada).then(.mute(mute, .began(.endless)))
  }

  @Test func `a mute holds until the microsecond before its end`() {
    let end = Instant.start.plus(60)
    let scene = Scene.general.and(.mute(mute, .begin(.until(end))), by: .ada)
    scene.when(.mute(mute, .end), by: .ada, at: end.plus(microseconds: -1)).then(.mute(mute, .ended))
    scene.when(.mute(mute, .end), by: .ada, at: end).thenNothing()
    scene.when(.mute(mute, .end), by: .ada, at: end.plus(microseconds: 1)).thenNothing()
  }
}
