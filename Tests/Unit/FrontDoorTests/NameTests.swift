// Threat: a name that `import VerbatimUI` brings clashes with SwiftUI, Foundation, Observation or the standard library.
import Foundation
import Observation
import Testing
import VerbatimUI

#if canImport(SwiftUI)
  import SwiftUI
#else
  import SwiftUIStandIn
#endif

/// A screen as an app writes it, with every name unqualified.
private struct Screen: View {
  @State private var count = 0

  var body: Never { fatalError("nothing is drawn in a test, though \(count) was counted") }
}

private actor Counter {
  private(set) var count = 0

  func increment() { count += 1 }
}

private let ours: [Any.Type] = [
  Name.self, Step.self, Change.self, Position.self, Author.self, Message.self, Channel.self, Draft.self, User.self,
  Role.self, Head.self, Receipt.self, Checkpoint.self, Client.self, Configuration.self, Workspace.self,
]

#if !canImport(SwiftUI)
  private let theirs: [Any.Type] = [
    Alert.self, Alignment.self, Anchor.self, Angle.self, AnyView.self, App.self,
    AppStorage.self, Axis.self, BadgeProminence.self, Binding.self, Bindable.self, Button.self,
    ButtonRole.self, Canvas.self, Capsule.self, Circle.self, Color.self, ColorScheme.self,
    Commands.self, ContentMode.self, ContentShapeKinds.self, ControlGroup.self, ControlSize.self, Divider.self,
    DragGesture.self, Edge.self, EdgeInsets.self, EditMode.self, Ellipse.self, Environment.self,
    EnvironmentKey.self, EnvironmentValues.self, EventModifiers.self, FetchRequest.self, FocusState.self, Font.self,
    ForEach.self, Form.self, Gauge.self, GeometryReader.self, Gesture.self, Gradient.self,
    Grid.self, GridItem.self, GridRow.self, Group.self, GroupBox.self, HStack.self,
    Image.self, ImageRenderer.self, KeyEquivalent.self, KeyPress.self, Label.self, LabeledContent.self,
    Layout.self, LayoutDirection.self, LazyHStack.self, LazyVStack.self, Link.self, List.self,
    Material.self, Menu.self, Namespace.self, NavigationLink.self, NavigationStack.self, Path.self,
    Picker.self, PinnedScrollableViews.self, Popover.self, PreferenceKey.self, PresentationMode.self,
    PreviewProvider.self,
    ProgressView.self, ProposedViewSize.self, Rectangle.self, RoundedRectangle.self, Scene.self, ScrollView.self,
    ScrollViewProxy.self, ScrollViewReader.self, Section.self, SecureField.self, Shader.self, Shape.self,
    ShareLink.self, Slider.self, Spacer.self, Stepper.self, SubmitLabel.self, SubmitTriggers.self,
    Subview.self, Tab.self, TabView.self, Table.self, TableColumn.self, TableRow.self,
    Text.self, TextEditor.self, TextField.self, TextSelection.self, TimelineView.self, Toggle.self,
    ToolbarItem.self, Transaction.self, Transition.self, UnitPoint.self, VStack.self, ViewBuilder.self,
    ViewModifier.self, Visibility.self, Widget.self, Window.self, WindowGroup.self, ZStack.self,
  ]
#endif

private let ofTheSystem: [Any.Type] = [
  Data.self, Date.self, URL.self, UUID.self, Decimal.self, Calendar.self, Locale.self, TimeZone.self, Bundle.self,
  Timer.self, Thread.self, Process.self, Scanner.self, Unit.self, Operation.self, Notification.self, IndexPath.self,
  CharacterSet.self, Formatter.self, Progress.self, Stream.self, Port.self, Host.self, Measurement<UnitLength>.self,
  Duration.self, ContinuousClock.self, Set<Int>.self, Range<Int>.self, Character.self, Mirror.self, Never.self,
  Task<Void, Never>.self, Result<Void, any Error>.self, ObservationRegistrar.self,
]

@Test func `an app uses the names of Verbatim, SwiftUI and Foundation unqualified`() async {
  let counter: any Actor = Counter()
  let screen: any View.Type = Screen.self
  #expect(counter is Counter && screen == Screen.self)
  #expect(!ours.isEmpty && !ofTheSystem.isEmpty)
  #if !canImport(SwiftUI)
    #expect(theirs.count > 100)
  #endif
}
