// The style sheet of pages.

/// The style sheet of pages, which loads nothing and animates nothing.
///
/// Pairs of background and text colors have a contrast of at least 4.5 to 1, in the light and the dark scheme. Whatever
/// a color indicates is also indicated by text, a border or italics.
public enum PageStyle {
  /// The style sheet.
  public static let sheet = colors + page + list + message + bubble + composer

  /// The colors of the light scheme: names and six hexadecimal digits.
  static let light = [
    "ground": "#ffffff", "letters": "#1b1b1f", "faint": "#595d65", "line": "#c3c6cd", "frame": "#767a82",
    "other": "#eceef2", "own": "#0b57d0", "own-letters": "#ffffff", "link": "#0b57d0", "wrong": "#b3261e",
  ]
  /// The colors of the dark scheme.
  static let dark = [
    "ground": "#121316", "letters": "#e6e6ea", "faint": "#b0b3ba", "line": "#44474e", "frame": "#8e9199",
    "other": "#26282d", "own": "#0842a0", "own-letters": "#ffffff", "link": "#a8c7fa", "wrong": "#ffb4ab",
  ]

  private static let colors = """
    :root { color-scheme: light dark; \(variables(light)) }
    @media (prefers-color-scheme: dark) { :root { \(variables(dark)) } }

    """

  private static func variables(_ colors: [String: String]) -> String {
    colors.sorted { $0.key < $1.key }.map { "--\($0.key): \($0.value);" }.joined(separator: " ")
  }

  private static let page = """
    * { box-sizing: border-box; }
    @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
    html { scroll-behavior: auto; }
    body { margin: 0; background: var(--ground); color: var(--letters);
      font: 1rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere; }
    main { max-width: 48rem; margin: 0 auto; padding: .75rem; }
    h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
    p { margin: 0; }
    ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip a { position: absolute; inset-inline-start: -100vw; }
    .skip a:focus { inset-inline-start: .5rem; top: .5rem; padding: .5rem; background: var(--ground); z-index: 1; }
    .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    .about { color: var(--faint); font-size: .8125rem; }
    .failed { color: var(--wrong); font-weight: bold; }
    button, .control { font: inherit; font-size: .875rem; color: inherit; background: transparent;
      border: 1px solid var(--frame); border-radius: .75rem; padding: .25rem .625rem; min-height: 1.75rem;
      display: inline-block; text-align: start; overflow-wrap: anywhere; max-width: 100%; }
    button { cursor: pointer; }
    .icon { width: 1.125em; height: 1.125em; vertical-align: -.1875em; fill: none; stroke: currentColor;
      stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; border-radius: .25em; object-fit: cover; }
    button b + .about, .control b + .about { margin-inline-start: .5rem; }
    button:disabled { color: var(--faint); border-style: dashed; cursor: default; }
    button[aria-pressed=true], .control.on { border-width: 2px; font-weight: bold; }
    .entry { border-bottom: 1px solid var(--line); padding: .5rem 0; }
    .entry > .open > * { border: 0; padding: 0; font-size: 1rem; }
    .entry .line { color: var(--faint); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .entry .about { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
    .waiting { color: var(--letters); }

    """

  private static let list = """
    .rows { list-style: none; margin: 0; padding: 0; }
    .row { margin-top: 2px; scroll-margin-block: 3rem; }
    .row.end { margin-bottom: .75rem; }
    .row.alone { margin: .75rem 0; }
    .separator { display: flex; align-items: center; gap: .75rem; color: var(--faint); font-size: .8125rem; }
    .separator::before, .separator::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
    .separator.unread { color: var(--wrong); }
    .separator.unread::before, .separator.unread::after { border-top: 2px solid var(--wrong); }
    .notice, .typing, .system { color: var(--faint); font-size: .875rem; text-align: center; }
    .system { font-style: italic; }
    .typing { text-align: start; padding-inline-start: 2.5rem; }
    .load { text-align: center; }

    """

  private static let message = """
    .message { display: flex; gap: .5rem; align-items: flex-end; }
    .message.trailing { flex-direction: row-reverse; }
    .message.center.own { flex-direction: row-reverse; }
    .body { min-width: 0; display: flex; flex-direction: column; align-items: flex-start; gap: 2px; }
    .own > .body { align-items: flex-end; }
    .center > .body { flex: 1; }
    .author { font-size: .8125rem; font-weight: bold; }
    .remark { color: var(--faint); font-size: .75rem; font-style: italic; }
    .body > .about { display: flex; flex-wrap: wrap; column-gap: .5rem; }
    .own > .body > .about { justify-content: flex-end; text-align: end; }
    .avatar { flex: none; width: 2rem; height: 2rem; border-radius: 50%; overflow: hidden; object-fit: cover;
      display: flex; align-items: center; justify-content: center; color: #fff; font-size: .75rem; font-weight: bold; }
    .message, .system { position: relative; }
    .swiped { position: absolute; inset-inline-end: 0; top: 50%; transform: translateY(-50%); max-width: 25%;
      overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--faint); font-size: .75rem; }
    .own > .swiped { inset-inline: 0 auto; }
    .menu { flex: none; align-self: center; }
    .menu summary { cursor: pointer; color: var(--faint); padding: .25rem .5rem; list-style: none; }
    .menu summary::-webkit-details-marker { display: none; }
    @media (hover: hover) {
      .menu:not([open], :focus-within) { opacity: 0; }
      :is(.message, .system):hover > .menu { opacity: 1; }
    }
    .menu .actions { position: absolute; inset-inline: 0; top: 100%; z-index: 1; background: var(--ground);
      border: 1px solid var(--frame); border-radius: .5rem; padding: .5rem; margin-top: .25rem; }
    .body > .actions { display: flex; flex-wrap: wrap; gap: .25rem; margin-top: .125rem; }
    .reactions :is(button, .control) { border-radius: 1rem; padding: 0 .5rem; background: var(--ground); }
    .reactions .mine :is(button, .control) { border: 2px solid var(--link); font-weight: bold; }
    .thread :is(button, .control) { border: 0; padding: 0; color: var(--link); }

    """

  private static let bubble = """
    .bubble { max-width: 100%; padding: .4375rem .625rem; background: var(--other); color: var(--letters); }
    .own .bubble { background: var(--own); color: var(--own-letters); }
    .own .bubble a, .own .bubble .about, .own .bubble .said { color: inherit; }
    .bubble[style*=background] a, .bubble[style*=background] .about { color: inherit; }
    .jumbo .bubble { background: transparent; padding: 0; }
    .large { font-size: 2.5rem; line-height: 1.2; }
    .deleted .bubble { background: transparent; color: var(--faint); border: 1px dashed var(--frame); }
    .ephemeral .bubble { border: 1px dashed var(--frame); }
    .pending .bubble { border: 1px dotted var(--frame); }
    .words { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
    .own-kind { align-self: stretch; max-width: 100%; }
    .own .own-kind { text-align: end; }
    code { font-family: ui-monospace, monospace; font-size: .9em; }
    blockquote { margin: 0 0 .375rem; padding-inline-start: .5rem; border-inline-start: 3px solid currentColor;
      font-size: .875rem; max-height: 6rem; overflow: hidden; }
    blockquote .said, .banner .said { display: block; white-space: pre-line; }
    blockquote a { display: block; color: inherit; text-decoration: none; }
    blockquote button { display: block; border: 0; padding: 0; font-size: inherit; border-radius: 0; }
    blockquote a:hover .said { text-decoration: underline; }
    blockquote.gone { font-style: italic; border-inline-start-style: dashed; }
    .attachment { padding: .125rem 0; }
    .attachment a { text-decoration: none; }
    .attachment a .title { text-decoration: underline; }
    .attachment .summary { color: var(--letters); }
    .own .bubble .attachment .summary { color: inherit; }
    .attachment .title, .attachment .about, .attachment .summary { display: block; }
    .attachment .title { font-weight: bold; }
    .picture { display: block; max-width: 100%; height: auto; max-height: 24rem; border-radius: .25rem; }
    .loadable { display: inline-grid; max-width: 100%; overflow: hidden; }
    .loadable > * { grid-area: 1 / 1; align-self: start; }
    .loadable > .picture { position: relative; min-width: 100%; object-fit: scale-down; background: var(--ground); }

    """

  private static let composer = """
    .write { border-top: 1px solid var(--line); padding-top: .75rem; margin-top: .75rem; }
    .write .title { font-weight: bold; }
    .composer { display: flex; flex-direction: column; gap: .5rem; }
    .composer > .line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-end; }
    .composer .leading, .composer .trailing { display: flex; flex-wrap: wrap; gap: .25rem; align-items: center; }
    .input { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: .25rem; align-items: flex-start; }
    textarea { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--frame);
      border-radius: .75rem; padding: .5rem .625rem; width: 100%; overflow-wrap: anywhere; resize: vertical; }
    ::placeholder { color: var(--faint); opacity: 1; }
    .chip, .banner { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; max-width: 100%;
      border: 1px solid var(--line); border-radius: .5rem; padding: .25rem .5rem; }
    .suggestions { flex-direction: column; max-height: 14rem; overflow: auto; }
    .composer .line > button, .composer .trailing button:not(:disabled) { background: var(--own); font-weight: bold;
      color: var(--own-letters); border-color: var(--own); padding: .4375rem .875rem; }
    .leading + .input { flex-basis: 100%; order: -1; }
    .composer .trailing { margin-inline-start: auto; }

    """
}
