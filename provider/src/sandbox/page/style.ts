/** Light or dark, as the system is. Lists that grow while somebody looks have a fixed height or come last. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f5f8, #15151b); --card: light-dark(#fff, #1f1f28); --line: light-dark(#dcdce4, #363643);
  --text: light-dark(#1d1d26, #ececf2); --faint: light-dark(#626272, #a2a2b4); --accent: light-dark(#5542cf, #a99cff);
  --good: light-dark(#11703a, #6fd79a); --bad: light-dark(#b3261e, #ff9a92); --busy: light-dark(#8a5300, #f4c069);
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; padding: 20px 24px 72px; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1, h2, h3, p, ul, fieldset { margin: 0; padding: 0; }
h1 { font-size: 22px; } h2 { font-size: 17px; } h3 { font-size: 14px; margin-bottom: 4px; }
h2, h3 { outline-offset: 4px; }
fieldset { border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: 4px; }
code { font: 12.5px/1.4 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
.top { margin-bottom: 16px; } .top p { color: var(--faint); max-width: 78ch; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 380px; gap: 16px; align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; margin-bottom: 16px; }
.faint { color: var(--faint); font-weight: 400; font-size: 12.5px; }
.plain { list-style: none; }
.heading-row { display: flex; justify-content: space-between; align-items: center; gap: 8px; }
.environment summary { cursor: pointer; border-radius: 6px; }
.environment summary::marker { color: var(--faint); }
.environment summary h2 { display: inline; margin-right: 8px; overflow-wrap: anywhere; }
.summary-line { display: block; margin-top: 2px; }
.summary-line code { color: var(--faint); margin-right: 8px; user-select: all; }
.badge, .state { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 8px;
  font-size: 12px; font-weight: 600; line-height: 18px; color: var(--faint); }
.badge { margin-right: 4px; }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) 226px; gap: 24px; margin: 12px 0; }
.branch { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 8px; padding: 3px 0; }
.switch { display: flex; gap: 6px; } .switch input { width: 104px; }
.builds { height: 108px; overflow: hidden; } .builds li { height: 27px; white-space: nowrap; line-height: 27px; }
.builds .state { min-width: 84px; padding: 0; text-align: center; }
table { width: 100%; border-collapse: collapse; }
thead th { color: var(--faint); font-size: 12px; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
.wide { overflow-x: auto; }
.environment tbody code { display: inline-block; font-weight: 400; } .environment td code { min-width: 150px; } .environment tbody th code { overflow-wrap: normal; font-weight: 600; }
.environment td .buttons { flex-wrap: nowrap; justify-content: flex-end; } .environment td:nth-child(5) { white-space: nowrap; }
.environment tbody th, .environment tbody td { vertical-align: middle; }
.environment thead th:last-child { text-align: right; }
.variable-form { margin-top: 12px; }
.variable-form fieldset { display: grid; grid-template-columns: 1.2fr 1.6fr 1fr auto auto; gap: 8px; align-items: end; }
label { display: block; color: var(--faint); font-size: 12.5px; }
label.check { color: var(--text); padding-bottom: 6px; }
input, select, button { font: inherit; font-size: 13px; color: var(--text); background: var(--card);
  border: 1px solid light-dark(#8c8c9c, #6d6d80); border-radius: 6px; padding: 3px 8px; }
label input:not([type="checkbox"]), label select { display: block; width: 100%; margin-top: 2px; }
input[type="checkbox"] { accent-color: var(--accent); margin: 0 4px 0 0; vertical-align: -2px; }
button { cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--accent); color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
aside form { margin-top: 10px; } aside form + .heading-row { margin-top: 14px; }
#refuse { display: grid; grid-template-columns: 1fr auto; gap: 8px; align-items: end; }
#trouble fieldset { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-bottom: 8px; }
.faults { max-height: 132px; overflow: auto; } .faults li { padding: 2px 0; overflow-wrap: anywhere; }
.journal .scroll { height: 560px; overflow: auto; margin-top: 8px; }
.journal thead th { position: sticky; top: 0; background: var(--card); }
.journal td:last-child, .journal th:last-child { text-align: right; }
.journal td { overflow-wrap: anywhere; } .journal td:first-child, .journal td:last-child { white-space: nowrap; }
.names { display: block; font: 12px/1.4 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap; }
.names:empty { display: none; }
#message { position: fixed; left: 50%; bottom: 16px; translate: -50% 0; max-width: min(90vw, 720px); padding: 8px 16px;
  border-radius: 8px; background: var(--text); color: var(--page); overflow-wrap: anywhere; pointer-events: none; }
#message:empty { visibility: hidden; }
[hidden] { display: none !important; }
@media (max-width: 1000px) { .columns { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 680px) {
  body { padding: 12px 10px 72px; }
  .pair, .variable-form fieldset { grid-template-columns: minmax(0, 1fr); }
}
`;
