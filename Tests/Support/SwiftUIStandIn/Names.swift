// Names of SwiftUI's types, for systems without SwiftUI: a test uses them beside `import Verbatim`.

/// A stand-in for SwiftUI's protocol of views.
public protocol View {
  /// The type of the content.
  associatedtype Body: View
  /// The content.
  @MainActor var body: Body { get }
}

extension Never: View {
  /// A value that does not exist.
  public var body: Never { fatalError("there is no such view") }
}

/// A stand-in for SwiftUI's property wrapper of mutable state.
@propertyWrapper public struct State<Value> {
  /// The value.
  public var wrappedValue: Value
  /// A state with its first value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A stand-in for a type of SwiftUI.
public enum Alert {}
/// A stand-in for a type of SwiftUI.
public enum Alignment {}
/// A stand-in for a type of SwiftUI.
public enum Anchor {}
/// A stand-in for a type of SwiftUI.
public enum Angle {}
/// A stand-in for a type of SwiftUI.
public enum AnyView {}
/// A stand-in for a type of SwiftUI.
public enum App {}
/// A stand-in for a type of SwiftUI.
public enum AppStorage {}
/// A stand-in for a type of SwiftUI.
public enum Axis {}
/// A stand-in for a type of SwiftUI.
public enum BadgeProminence {}
/// A stand-in for a type of SwiftUI.
public enum Binding {}
/// A stand-in for a type of SwiftUI.
public enum Bindable {}
/// A stand-in for a type of SwiftUI.
public enum Button {}
/// A stand-in for a type of SwiftUI.
public enum ButtonRole {}
/// A stand-in for a type of SwiftUI.
public enum Canvas {}
/// A stand-in for a type of SwiftUI.
public enum Capsule {}
/// A stand-in for a type of SwiftUI.
public enum Circle {}
/// A stand-in for a type of SwiftUI.
public enum Color {}
/// A stand-in for a type of SwiftUI.
public enum ColorScheme {}
/// A stand-in for a type of SwiftUI.
public enum Commands {}
/// A stand-in for a type of SwiftUI.
public enum ContentMode {}
/// A stand-in for a type of SwiftUI.
public enum ContentShapeKinds {}
/// A stand-in for a type of SwiftUI.
public enum ControlGroup {}
/// A stand-in for a type of SwiftUI.
public enum ControlSize {}
/// A stand-in for a type of SwiftUI.
public enum Divider {}
/// A stand-in for a type of SwiftUI.
public enum DragGesture {}
/// A stand-in for a type of SwiftUI.
public enum Edge {}
/// A stand-in for a type of SwiftUI.
public enum EdgeInsets {}
/// A stand-in for a type of SwiftUI.
public enum EditMode {}
/// A stand-in for a type of SwiftUI.
public enum Ellipse {}
/// A stand-in for a type of SwiftUI.
public enum Environment {}
/// A stand-in for a type of SwiftUI.
public enum EnvironmentKey {}
/// A stand-in for a type of SwiftUI.
public enum EnvironmentValues {}
/// A stand-in for a type of SwiftUI.
public enum EventModifiers {}
/// A stand-in for a type of SwiftUI.
public enum FetchRequest {}
/// A stand-in for a type of SwiftUI.
public enum FocusState {}
/// A stand-in for a type of SwiftUI.
public enum Font {}
/// A stand-in for a type of SwiftUI.
public enum ForEach {}
/// A stand-in for a type of SwiftUI.
public enum Form {}
/// A stand-in for a type of SwiftUI.
public enum Gauge {}
/// A stand-in for a type of SwiftUI.
public enum GeometryReader {}
/// A stand-in for a type of SwiftUI.
public enum Gesture {}
/// A stand-in for a type of SwiftUI.
public enum Gradient {}
/// A stand-in for a type of SwiftUI.
public enum Grid {}
/// A stand-in for a type of SwiftUI.
public enum GridItem {}
/// A stand-in for a type of SwiftUI.
public enum GridRow {}
/// A stand-in for a type of SwiftUI.
public enum Group {}
/// A stand-in for a type of SwiftUI.
public enum GroupBox {}
/// A stand-in for a type of SwiftUI.
public enum HStack {}
/// A stand-in for a type of SwiftUI.
public enum Image {}
/// A stand-in for a type of SwiftUI.
public enum ImageRenderer {}
/// A stand-in for a type of SwiftUI.
public enum KeyEquivalent {}
/// A stand-in for a type of SwiftUI.
public enum KeyPress {}
/// A stand-in for a type of SwiftUI.
public enum Label {}
/// A stand-in for a type of SwiftUI.
public enum LabeledContent {}
/// A stand-in for a type of SwiftUI.
public enum Layout {}
/// A stand-in for a type of SwiftUI.
public enum LayoutDirection {}
/// A stand-in for a type of SwiftUI.
public enum LazyHStack {}
/// A stand-in for a type of SwiftUI.
public enum LazyVStack {}
/// A stand-in for a type of SwiftUI.
public enum Link {}
/// A stand-in for a type of SwiftUI.
public enum List {}
/// A stand-in for a type of SwiftUI.
public enum Material {}
/// A stand-in for a type of SwiftUI.
public enum Menu {}
/// A stand-in for a type of SwiftUI.
public enum Namespace {}
/// A stand-in for a type of SwiftUI.
public enum NavigationLink {}
/// A stand-in for a type of SwiftUI.
public enum NavigationStack {}
/// A stand-in for a type of SwiftUI.
public enum Path {}
/// A stand-in for a type of SwiftUI.
public enum Picker {}
/// A stand-in for a type of SwiftUI.
public enum PinnedScrollableViews {}
/// A stand-in for a type of SwiftUI.
public enum Popover {}
/// A stand-in for a type of SwiftUI.
public enum PreferenceKey {}
/// A stand-in for a type of SwiftUI.
public enum PresentationMode {}
/// A stand-in for a type of SwiftUI.
public enum PreviewProvider {}
/// A stand-in for a type of SwiftUI.
public enum ProgressView {}
/// A stand-in for a type of SwiftUI.
public enum ProposedViewSize {}
/// A stand-in for a type of SwiftUI.
public enum Rectangle {}
/// A stand-in for a type of SwiftUI.
public enum RoundedRectangle {}
/// A stand-in for a type of SwiftUI.
public enum Scene {}
/// A stand-in for a type of SwiftUI.
public enum ScrollView {}
/// A stand-in for a type of SwiftUI.
public enum ScrollViewProxy {}
/// A stand-in for a type of SwiftUI.
public enum ScrollViewReader {}
/// A stand-in for a type of SwiftUI.
public enum Section {}
/// A stand-in for a type of SwiftUI.
public enum SecureField {}
/// A stand-in for a type of SwiftUI.
public enum Shader {}
/// A stand-in for a type of SwiftUI.
public enum Shape {}
/// A stand-in for a type of SwiftUI.
public enum ShareLink {}
/// A stand-in for a type of SwiftUI.
public enum Slider {}
/// A stand-in for a type of SwiftUI.
public enum Spacer {}
/// A stand-in for a type of SwiftUI.
public enum Stepper {}
/// A stand-in for a type of SwiftUI.
public enum SubmitLabel {}
/// A stand-in for a type of SwiftUI.
public enum SubmitTriggers {}
/// A stand-in for a type of SwiftUI.
public enum Subview {}
/// A stand-in for a type of SwiftUI.
public enum Tab {}
/// A stand-in for a type of SwiftUI.
public enum TabView {}
/// A stand-in for a type of SwiftUI.
public enum Table {}
/// A stand-in for a type of SwiftUI.
public enum TableColumn {}
/// A stand-in for a type of SwiftUI.
public enum TableRow {}
/// A stand-in for a type of SwiftUI.
public enum Text {}
/// A stand-in for a type of SwiftUI.
public enum TextEditor {}
/// A stand-in for a type of SwiftUI.
public enum TextField {}
/// A stand-in for a type of SwiftUI.
public enum TextSelection {}
/// A stand-in for a type of SwiftUI.
public enum TimelineView {}
/// A stand-in for a type of SwiftUI.
public enum Toggle {}
/// A stand-in for a type of SwiftUI.
public enum ToolbarItem {}
/// A stand-in for a type of SwiftUI.
public enum Transaction {}
/// A stand-in for a type of SwiftUI.
public enum Transition {}
/// A stand-in for a type of SwiftUI.
public enum UnitPoint {}
/// A stand-in for a type of SwiftUI.
public enum VStack {}
/// A stand-in for a type of SwiftUI.
public enum ViewBuilder {}
/// A stand-in for a type of SwiftUI.
public enum ViewModifier {}
/// A stand-in for a type of SwiftUI.
public enum Visibility {}
/// A stand-in for a type of SwiftUI.
public enum Widget {}
/// A stand-in for a type of SwiftUI.
public enum Window {}
/// A stand-in for a type of SwiftUI.
public enum WindowGroup {}
/// A stand-in for a type of SwiftUI.
public enum ZStack {}
