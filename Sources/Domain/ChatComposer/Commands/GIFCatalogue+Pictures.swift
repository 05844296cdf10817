// The pictures of the catalogue, drawn for it: their names, synonyms, backgrounds and SVG shapes.

extension GIFCatalogue {
  /// The pictures in the order of their names.
  ///
  /// They share a palette of ink (`#324`), yellow, red, blue, brown and white. Shapes are outlined unless they say
  /// otherwise, and look right without their animation, too.
  public static let pictures: [Picture] = [
    Picture(
      "applause", ["applaud", "bravo", "clap", "claps", "clapping", "well done"], on: "#cfe",
      """
      <circle cx="160" cy="92" r="72" fill="#fc5"/>
      <path d="M118 78q12-16 24 0M178 78q12-16 24 0" fill="none"/><path d="M122 98h76q-4 34-38 34t-38-34z" fill="#f66"/>
      <g fill="#fc5"><g transform="rotate(-14 150 240)"><animateTransform attributeName="transform" type="rotate"
      values="-26 150 240;-2 150 240;-26 150 240" dur=".5s" repeatCount="indefinite"/>
      <path d="M104 208V148a11 11 0 0 1 22 0v-14a11 11 0 0 1 22 0v74z"/><path d="M126 148v20M148 186q-16 0-20-18"/>
      <path d="M96 206h60v50H96z" fill="#59f"/></g>
      <g transform="rotate(14 170 240)"><animateTransform attributeName="transform" type="rotate"
      values="26 170 240;2 170 240;26 170 240" dur=".5s" repeatCount="indefinite"/>
      <path d="M216 208V148a11 11 0 0 0-22 0v-14a11 11 0 0 0-22 0v74z"/><path d="M194 148v20M172 186q16 0 20-18"/>
      <path d="M164 206h60v50h-60z" fill="#59f"/></g></g>
      <path d="M62 150l-26-14M54 186H26M258 150l26-14M266 186h28" stroke="#f66"/>
      """),
    Picture(
      "bow", ["bows", "bowing", "respect", "thanks", "thank you", "welcome"], on: "#dcf",
      """
      <path d="M40 214h240"/>
      <path d="M102 132h36v80h-36z" fill="#59f"/><path d="M102 212h52v-10h-52z" fill="#324"/>
      <g transform="rotate(60 120 136)">
      <animateTransform attributeName="transform" type="rotate" values="0 120 136;70 120 136;70 120 136;0 120 136"
      keyTimes="0;.35;.65;1" dur="3s" repeatCount="indefinite"/>
      <rect x="96" y="64" width="48" height="88" rx="20" fill="#f66"/><path d="M120 88v44" fill="none"/>
      <circle cx="122" cy="36" r="30" fill="#fc5"/><path d="M92 34q4-34 44-26q-8 18-44 26z" fill="#324"/>
      <path d="M134 36v2M134 50q8 2 12-4" fill="none"/></g>
      """),
    Picture(
      "cat", ["cats", "kitten", "kittens", "kitty", "meow", "purr"], on: "#bdf",
      """
      <g><animateTransform attributeName="transform" type="rotate" values="-5 160 200;5 160 200;-5 160 200" dur="2.4s"
      repeatCount="indefinite"/>
      <path d="M94 116L84 38l60 32M226 116l10-78-60 32" fill="#fa5"/>
      <ellipse cx="160" cy="130" rx="78" ry="68" fill="#fa5"/>
      <path d="M160 64v24M138 68v14M182 68v14M66 128l34 8M66 160l34-6M254 128l-34 8M254 160l-34-6"/>
      <ellipse cx="130" cy="124" rx="6" ry="9" fill="#324"><animate attributeName="ry" values="9;9;0;9"
      keyTimes="0;.85;.9;1" dur="3s" repeatCount="indefinite"/></ellipse>
      <ellipse cx="190" cy="124" rx="6" ry="9" fill="#324"/>
      <path d="M150 146h20l-10 10z" fill="#f66"/><path d="M136 162q18 14 24-6q6 20 24 6" fill="none"/></g>
      """),
    Picture(
      "celebration", ["celebrate", "congrats", "congratulations", "hooray", "hurray", "tada", "yay"], on: "#ffc",
      """
      <path d="M50 216L108 92l66 66z" fill="#59f"/><path d="M84 142l48 48M66 180l26 24" fill="none" stroke="#fff"/>
      <ellipse cx="141" cy="125" rx="16" ry="46" transform="rotate(-45 141 125)" fill="#fc5"/>
      <g transform="translate(146 120)"><g fill="#f66">
      <animateTransform attributeName="transform" type="scale" values=".1;1;1.15" dur="1.6s" repeatCount="indefinite"/>
      <animate attributeName="opacity" values="1;1;0" dur="1.6s" repeatCount="indefinite"/>
      <path d="M0 0q-20-40 4-60t0-44M10 10q40 24 60 0t54 14M10 0q20-30 50-30t40-40" fill="none" stroke="#f66"/>
      <circle cx="50" cy="-86" r="9"/><circle cx="138" cy="-22" r="9" fill="#fc5"/><circle cx="84" cy="64" r="9"/>
      <path d="M-40-70h16v16h-16zM106-96h16v16h-16zM120 70h16v16h-16z" fill="#59f"/></g></g>
      """),
    Picture(
      "coffee", ["break", "cafe", "espresso", "latte", "tea"], on: "#fdc",
      """
      <ellipse cx="150" cy="212" rx="100" ry="12" fill="#fff"/>
      <path d="M208 126h14q28 0 28 26t-34 26h-14" fill="none" stroke-width="12"/>
      <path d="M90 108h120v56q0 46-44 46h-32q-44 0-44-46z" fill="#f66"/>
      <ellipse cx="150" cy="108" rx="60" ry="13" fill="#b75"/>
      <path d="M130 146v4M170 146v4M136 166q14 14 28 0" fill="none"/>
      <g fill="none" stroke="#b75"><animateTransform attributeName="transform" type="translate" values="0 10;0 -10"
      dur="2s" repeatCount="indefinite"/>
      <animate attributeName="opacity" values="0;1;0" dur="2s" repeatCount="indefinite"/>
      <path d="M116 84q-14-14 0-28t0-28M150 80q-14-14 0-28t0-28M184 84q-14-14 0-28t0-28"/></g>
      """),
    Picture(
      "dance", ["boogie", "dances", "dancing", "disco", "music"], on: "#dcf",
      """
      <ellipse cx="160" cy="216" rx="80" ry="10" fill="#324" opacity=".2" stroke="none"/>
      <g><animateTransform attributeName="transform" type="rotate" values="-14 160 214;14 160 214;-14 160 214" dur="1s"
      repeatCount="indefinite"/>
      <path d="M144 160l-14 50h-12M176 160l16 24l-8 28h12M146 108l-46 8l-18-38M174 108l40-16l10-44" fill="none"
      stroke-width="10"/>
      <circle cx="82" cy="74" r="9" fill="#fc5"/><circle cx="225" cy="44" r="9" fill="#fc5"/>
      <path d="M142 96h36l22 72h-80z" fill="#f66"/><circle cx="160" cy="66" r="32" fill="#fc5"/>
      <path d="M148 62v2M172 62v2M150 76q10 10 20 0" fill="none"/></g>
      <path d="M44 190v-42l30-8v42M252 160v-42l30-8v42" fill="none"/>
      <g fill="#324"><circle cx="36" cy="190" r="7"/><circle cx="66" cy="182" r="7"/><circle cx="244" cy="160" r="7"/>
      <circle cx="274" cy="152" r="7"/></g>
      """),
    Picture(
      "dog", ["bark", "dogs", "doggy", "puppies", "puppy", "woof"], on: "#cfe",
      """
      <ellipse cx="160" cy="112" rx="72" ry="74" fill="#da6"/>
      <path d="M104 66q-56-8-46 88q34 18 50-46zM216 66q56-8 46 88q-34 18-50-46z" fill="#b75"/>
      <path d="M140 158v36a20 20 0 0 0 40 0v-36z" fill="#f66">
      <animateTransform attributeName="transform" type="translate" values="0 0;0 -12;0 0" dur=".5s"
      repeatCount="indefinite"/></path>
      <path d="M160 124q-52 4-44 36q16 22 44 4q28 18 44-4q8-32-44-36z" fill="#fff"/>
      <path d="M160 136v28" fill="none"/><ellipse cx="160" cy="130" rx="14" ry="9" fill="#324"/>
      <circle cx="132" cy="98" r="6" fill="#324"/><circle cx="188" cy="98" r="6" fill="#324"/>
      <path d="M124 76q8-8 16-2M196 76q-8-8-16-2" fill="none"/>
      """),
    Picture(
      "facepalm", ["doh", "embarrassing", "oh no", "oops", "ugh"], on: "#bdf",
      """
      <g><animateTransform attributeName="transform" type="rotate" values="-4 160 220;4 160 220;-4 160 220" dur="1.6s"
      repeatCount="indefinite"/>
      <circle cx="150" cy="116" r="84" fill="#fc5"/><path d="M98 84q14-12 28-8M116 170q24-18 48 0" fill="none"/>
      <path d="M104 110q10 8 20 0" fill="none"/>
      <path d="M230 160l60 90" stroke-width="54"/><path d="M230 160l60 90" stroke="#59f" stroke-width="42"/>
      <path d="M-40 10V-44a10 10 0 0 1 20 0V-6V-62a10 10 0 0 1 20 0V-6V-58a10 10 0 0 1 20 0V-6V-38a10 10 0 0 1 20 0V34
      q0 36-38 36q-22 0-36-22L-74 6a11 11 0 0 1 18-13z" transform="translate(186 112) rotate(-38)" fill="#fc5"/></g>
      """),
    Picture(
      "fireworks", ["firework", "new year", "sparkle", "sparkles"], on: "#436",
      """
      <path d="M0 240v-40h40v-24h36v34h44v-20h30v20h50v-44h34v40h46v-22h40v60" fill="#324"/>
      <g fill="none" stroke-linecap="butt" stroke-width="34">
      <g transform="translate(96 84)"><circle r="36" pathLength="28" stroke-dasharray=".6 1.4" stroke="#fc5">
      <animateTransform attributeName="transform" type="scale" values=".1;1.2" dur="1.5s" repeatCount="indefinite"/>
      <animate attributeName="opacity" values="1;1;0" dur="1.5s" repeatCount="indefinite"/></circle></g>
      <g transform="translate(226 74)"><circle r="40" pathLength="28" stroke-dasharray=".6 1.4" stroke="#f66">
      <animateTransform attributeName="transform" type="scale" values=".1;1.2" begin="-.9s" dur="1.8s"
      repeatCount="indefinite"/>
      <animate attributeName="opacity" values="1;1;0" begin="-.9s" dur="1.8s" repeatCount="indefinite"/></circle></g>
      </g>
      <path d="M96 200v-66M226 160v-26M162 40v2M50 30v2M284 130v2M164 126v2" stroke="#fff" stroke-width="4"/>
      """),
    Picture(
      "high-five", ["gimme five", "give me five", "teamwork", "up top"], on: "#ffc",
      """
      <g transform="translate(160 92)"><circle r="76" pathLength="24" stroke-dasharray=".4 1.6" fill="none"
      stroke="#f66" stroke-width="36" stroke-linecap="butt"><animate attributeName="opacity" values="0;1;0" dur="1.2s"
      repeatCount="indefinite"/></circle></g>
      <g transform="translate(122 110) rotate(14)" fill="#fc5"><g><animateTransform attributeName="transform"
      type="translate" values="-40 0;0 0;-40 0" dur="1.2s" repeatCount="indefinite"/>
      <path d="M-34 62h60v120h-60z" fill="#59f"/>
      <path d="M40 10V-44a10 10 0 0 0-20 0V-6V-62a10 10 0 0 0-20 0V-6V-58a10 10 0 0 0-20 0V-6V-38a10 10 0 0 0-20 0V64
      H40z"/>
      </g></g>
      <g transform="translate(198 110) rotate(-14)" fill="#b75"><g><animateTransform attributeName="transform"
      type="translate" values="40 0;0 0;40 0" dur="1.2s" repeatCount="indefinite"/>
      <path d="M-26 62h60v120h-60z" fill="#4b8"/>
      <path d="M-40 10V-44a10 10 0 0 1 20 0V-6V-62a10 10 0 0 1 20 0V-6V-58a10 10 0 0 1 20 0V-6V-38a10 10 0 0 1 20 0V64
      H-40z"/>
      </g></g>
      """),
    Picture(
      "hug", ["cuddle", "embrace", "hugs", "love", "miss you"], on: "#fdc",
      """
      <g fill="#59f"><animateTransform attributeName="transform" type="rotate" values="-3 160 230;3 160 230;-3 160 230"
      dur="2s" repeatCount="indefinite"/>
      <path d="M84 240q-16-104 40-104t56 104z" fill="#f66"/><path d="M140 240q0-104 56-104t40 104z"/>
      <circle cx="124" cy="112" r="40" fill="#fc5"/><circle cx="196" cy="112" r="40" fill="#b75"/>
      <path d="M106 112q8 8 16 0M198 112q8 8 16 0M120 130q10 6 16-2M200 130q-10 6-16-2" fill="none"/>
      <path d="M100 176q50 30 112 2" fill="none" stroke-width="30"/>
      <path d="M100 176q50 30 112 2" fill="none" stroke="#f66" stroke-width="18"/></g>
      <g transform="translate(160 40)"><path d="M0 24q-56-32-24-48q18-6 24 12q6-18 24-12q32 16-24 48z" fill="#f66">
      <animateTransform attributeName="transform" type="scale" values=".8;1;.8" dur="1s" repeatCount="indefinite"/>
      </path></g>
      """),
    Picture(
      "laughter", ["funny", "haha", "hahaha", "laugh", "laughing", "lol", "rofl"], on: "#bdf",
      """
      <g><animateTransform attributeName="transform" type="rotate" values="-8 160 120;8 160 120;-8 160 120" dur=".6s"
      repeatCount="indefinite"/>
      <circle cx="160" cy="120" r="90" fill="#fc5"/>
      <path d="M100 100q18-26 36 0M184 100q18-26 36 0" fill="none"/>
      <path d="M102 124h116q-4 66-58 66t-58-66z" fill="#324"/><path d="M112 127h96v16h-96z" fill="#fff" stroke="none"/>
      <path d="M130 178q30-30 60 0q-30 22-60 0z" fill="#f66" stroke="none"/>
      <path d="M88 104q-48 18-40 44q20 20 40-44zM232 104q48 18 40 44q-20 20-40-44z" fill="#59f"/></g>
      """),
    Picture(
      "party", ["birthday", "cheers", "parties", "partying"], on: "#dcf",
      """
      <circle cx="150" cy="140" r="76" fill="#fc5"/>
      <path d="M100 82L126 6l56 64q-42-14-82 12z" fill="#59f"/><path d="M112 50l34-20M106 70l62-20" stroke="#fff"/>
      <circle cx="126" cy="14" r="12" fill="#f66"/>
      <path d="M106 126q12-16 24 0M166 126q12-16 24 0" fill="none"/>
      <path d="M170 168l100-20v30z" fill="#f66"><animateTransform attributeName="transform" type="translate"
      values="-20 4;0 0;-20 4" dur=".8s" repeatCount="indefinite"/></path>
      <circle cx="166" cy="170" r="10" fill="#324"/>
      <g stroke-width="12"><animateTransform attributeName="transform" type="translate" values="0 -40;0 40" dur="2s"
      repeatCount="indefinite"/><animate attributeName="opacity" values="0;1;0" dur="2s" repeatCount="indefinite"/>
      <path d="M40 60v2M262 90v2M58 200v2" stroke="#f66"/><path d="M56 130v2M220 40v2M282 220v2" stroke="#4b8"/>
      <path d="M290 40v2M24 150v2M246 216v2" stroke="#fff"/></g>
      """),
    Picture(
      "rain", ["raining", "rainy", "sad", "storm", "weather"], on: "#8ad",
      """
      <g stroke="#fff"><animateTransform attributeName="transform" type="translate" values="0 -20;0 50" dur="1s"
      repeatCount="indefinite"/><animate attributeName="opacity" values="0;1;1;0" dur="1s" repeatCount="indefinite"/>
      <path d="M92 160l-6 20M132 166l-6 20M172 160l-6 20M212 166l-6 20M242 160l-6 20M112 196l-6 20M192 196l-6 20"/></g>
      <path d="M92 148a38 38 0 0 1 0-76a56 56 0 0 1 106-14a46 46 0 0 1 38 90z" fill="#fff"/>
      <circle cx="136" cy="104" r="5" fill="#324"/><circle cx="184" cy="104" r="5" fill="#324"/>
      <path d="M148 126q12-10 24 0" fill="none"/>
      """),
    Picture(
      "rocket", ["launch", "launched", "rockets", "ship it", "shipped", "space", "to the moon"], on: "#436",
      """
      <path d="M50 0v2M110-60v2M260-30v2M210-100v2M290 60v2M30 100v2M90 160v2M240 190v2M270-120v2M60-120v2"
      stroke="#fff"><animateTransform attributeName="transform" type="translate" values="40 0;-40 120" dur="2s"
      repeatCount="indefinite"/></path>
      <g transform="rotate(28 160 120)">
      <path d="M140 172q-8 30 20 64q28-34 20-64z" fill="#fc5"><animateTransform attributeName="transform"
      type="translate" values="0 0;0 -24;0 0" dur=".3s" repeatCount="indefinite"/></path>
      <path d="M122 116q-36 20-30 64l34-18zM198 116q36 20 30 64l-34-18z" fill="#f66"/>
      <path d="M160 14q46 46 38 116l-10 44h-56l-10-44q-8-70 38-116z" fill="#fff"/>
      <path d="M134 54q26-10 52 0q-8-24-26-40q-18 16-26 40z" fill="#f66"/>
      <circle cx="160" cy="98" r="20" fill="#59f"/></g>
      """),
    Picture(
      "shrug", ["dunno", "i don't know", "idk", "maybe", "no idea", "whatever"], on: "#fdc",
      """
      <g><animateTransform attributeName="transform" type="translate" values="0 12;0 -4;0 -4;0 12" dur="2s"
      repeatCount="indefinite"/>
      <path d="M118 166q-20 50-64-20M202 166q20 50 64-20" fill="none" stroke-width="34"/>
      <path d="M118 166q-20 50-64-20M202 166q20 50 64-20" fill="none" stroke="#59f" stroke-width="22"/>
      <g fill="#fc5"><rect x="60" y="104" width="20" height="40" rx="10"/>
      <rect x="10" y="124" width="72" height="26" rx="13"/><rect x="240" y="104" width="20" height="40" rx="10"/>
      <rect x="238" y="124" width="72" height="26" rx="13"/></g>
      <path d="M104 260V172q0-36 34-36h44q34 0 34 36v88z" fill="#59f"/></g>
      <circle cx="160" cy="86" r="50" fill="#fc5"/>
      <path d="M132 66q8-10 18-4M170 62q10-6 18 4M142 82v4M178 82v4M144 110q18-10 30-2" fill="none"/>
      """),
    Picture(
      "sleep", ["bed", "bedtime", "night", "sleeping", "sleepy", "tired", "zzz"], on: "#436",
      """
      <path d="M30 240q-6-60 50-56h160q56-4 50 56z" fill="#fff"/>
      <circle cx="150" cy="144" r="68" fill="#fc5"/>
      <path d="M84 124q14-76 70-74q64 4 94 76q-40-30-90-32t-74 30z" fill="#59f"/>
      <circle cx="250" cy="130" r="14" fill="#fff"/>
      <path d="M112 144q12 12 24 0M164 144q12 12 24 0" fill="none"/>
      <ellipse cx="150" cy="178" rx="9" ry="7" fill="#324"><animate attributeName="ry" values="3;10;3" dur="3s"
      repeatCount="indefinite"/></ellipse>
      <g fill="none" stroke="#fff"><animateTransform attributeName="transform" type="translate" values="-6 14;6 -10"
      dur="3s" repeatCount="indefinite"/>
      <animate attributeName="opacity" values="0;1;0" dur="3s" repeatCount="indefinite"/>
      <path d="M232 64h18l-18 20h18M262 20h28l-28 30h28"/></g>
      """),
    Picture(
      "sunrise", ["dawn", "morning", "sun", "sunny", "sunshine"], on: "#fdc",
      """
      <g transform="translate(160 150)"><g>
      <animateTransform attributeName="transform" type="translate" values="0 70;0 0;0 0" keyTimes="0;.6;1" dur="5s"
      repeatCount="indefinite"/>
      <circle r="92" pathLength="24" stroke-dasharray=".5 1.5" fill="none" stroke="#fa5" stroke-width="28"
      stroke-linecap="butt"><animateTransform attributeName="transform" type="rotate" values="0;30" dur="2.5s"
      repeatCount="indefinite"/></circle><circle r="62" fill="#fc5"/>
      <path d="M-20-22v4M20-22v4M-16-4q16 14 32 0" fill="none"/></g></g>
      <path d="M-10 168h340v90H-10z" fill="#59f"/>
      <path d="M40 192h50M130 206h60M220 190h60M70 224h40M230 222h40" stroke="#fff"/>
      """),
    Picture(
      "thumbs-up", ["agreed", "approved", "good job", "great", "lgtm", "like", "nice", "ok", "okay", "yes"], on: "#cfe",
      """
      <path d="M236 50l18-18M258 80h24M196 30V8" stroke="#f66"><animate attributeName="opacity" values="0;1;0" dur="1s"
      repeatCount="indefinite"/></path>
      <g transform="rotate(-6 90 190)"><animateTransform attributeName="transform" type="rotate"
      values="0 90 190;-14 90 190;0 90 190" dur="1s" repeatCount="indefinite"/>
      <path d="M102 116q46-14 46-74q0-20 18-20q30 6 20 84h36v114H102z" fill="#fc5"/>
      <g fill="#fc5"><rect x="170" y="104" width="72" height="32" rx="16"/>
      <rect x="166" y="134" width="80" height="32" rx="16"/><rect x="168" y="164" width="72" height="30" rx="15"/>
      <rect x="170" y="192" width="60" height="28" rx="14"/></g>
      <path d="M56 106h48v118H56z" fill="#59f"/></g>
      """),
    Picture(
      "wave", ["bye", "goodbye", "hello", "hey", "hi", "waves", "waving"], on: "#bdf",
      """
      <path d="M56 96q-6-32 14-54M32 104q-8-48 22-82M260 150q16-14 18-36M284 166q22-22 24-54" fill="none" stroke="#fff">
      <animate attributeName="opacity" values="0;1;0" dur=".8s" repeatCount="indefinite"/></path>
      <g transform="rotate(8 180 220)"><animateTransform attributeName="transform" type="rotate"
      values="-12 180 220;16 180 220;-12 180 220" dur=".8s" repeatCount="indefinite"/>
      <path d="M-40 10V-44a10 10 0 0 1 20 0V-6V-62a10 10 0 0 1 20 0V-6V-58a10 10 0 0 1 20 0V-6V-38a10 10 0 0 1 20 0V34
      q0 36-38 36q-22 0-36-22L-74 6a11 11 0 0 1 18-13z" transform="translate(168 122) scale(1.4)" fill="#fc5"
      stroke-width="4.3"/></g>
      """),
  ]
}
