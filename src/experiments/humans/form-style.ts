/** Looks of the rating form: system fonts, light and dark, readable on a telephone and on paper. */
export const FORM_STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5c5c5c; --line: #d5d5d5; --ground: #ffffff; --panel: #f6f6f4; --mark: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --soft: #a8a8a8; --line: #444; --ground: #161616; --panel: #202020; --mark: #7fb2ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 5rem; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
.soft { color: var(--soft); font-size: .9rem; }
.case { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; margin-top: 1rem; }
@media (max-width: 52rem) { .case { grid-template-columns: minmax(0, 1fr); } }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 26rem; overflow: auto; margin: 0; }
.title { font-weight: 600; overflow-wrap: anywhere; unicode-bidi: isolate; }
.rules { max-height: 40rem; overflow: auto; }
details { border-top: 1px solid var(--line); padding: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; padding: .5rem 1rem .75rem; }
legend { font-weight: 600; padding: 0 .3rem; }
label { display: block; padding: .2rem 0; }
input[type=text], textarea { width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; padding: .4rem .6rem; }
button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; padding: .4rem 1rem; cursor: pointer; }
button.main { background: var(--mark); color: var(--ground); border-color: var(--mark); }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1rem; }
.decision { font-weight: 700; unicode-bidi: isolate; }
button.link { border: 0; padding: 0; background: none; color: var(--mark); text-decoration: underline; }
#precedents { margin-top: .75rem; }
#precedents article { border-top: 1px solid var(--line); padding: .5rem 0; }
.help { margin-top: 1rem; }
.help ul { margin: .4rem 0; padding-left: 1.2rem; }
`;
