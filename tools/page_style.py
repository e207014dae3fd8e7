"""How the report looks: by day and by night, by colour and by words, on screens of any width."""

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #57606a; --rule: #d0d7de;
  --shade: #f6f8fa; --compiled: #1a7f37; --numpy: #8a5a00; --python: #b3261e; --bar: #54aeff66;
  --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --soft: #9aa4af;
  --rule: #30363d; --shade: #161b22; --compiled: #56d364; --numpy: #e3b341; --python: #ff8a80;
  --bar: #1f6feb80; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .4rem 0; } a { color: var(--link); } .soft { color: var(--soft); }
code { overflow-wrap: anywhere; } pre code, .source code { overflow-wrap: normal; }
code, pre, .source { font-family: ui-monospace, "SFMono-Regular", Consolas, monospace; font-size: .85rem; }
pre { background: var(--shade); border: 1px solid var(--rule); border-radius: 6px; padding: .75rem;
  overflow-x: auto; margin: .4rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem .9rem .2rem 0;
  vertical-align: top; white-space: nowrap; } td.why { white-space: normal; min-width: 16rem; }
th { color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--rule); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.source { border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto; padding: .4rem 0; }
.line { display: grid; grid-template-columns: 3.2rem 4.4rem 5.4rem max-content; align-items: baseline;
  min-width: max-content; padding: 0 .75rem; white-space: pre; border-left: 4px solid transparent; }
.line .number { color: var(--soft); text-align: right; padding-right: .75rem; }
.line .share { text-align: right; padding-right: .2rem; font-variant-numeric: tabular-nums;
  background: linear-gradient(to right, var(--bar) var(--part), transparent 0); margin-right: .75rem; }
.is-compiled { border-left-color: var(--compiled); } .is-compiled .state { color: var(--compiled); }
.is-numpy { border-left-color: var(--numpy); } .is-numpy .state { color: var(--numpy); }
.is-python { border-left-color: var(--python); } .is-python .state { color: var(--python); }
.is-absent .state, .is-absent .text { color: var(--soft); }
details > summary { cursor: pointer; } details > summary:focus-visible, a:focus-visible {
  outline: 2px solid var(--link); outline-offset: -1px; }
.source summary { list-style: none; } .source summary::-webkit-details-marker { display: none; }
.source summary .number::before { content: "\\25B8  "; } .source details[open] .number::before {
  content: "\\25BE  "; }
.told { padding: .3rem .75rem .5rem 4.4rem; border-left: 4px solid var(--rule); white-space: normal;
  max-width: 70rem; font: .9rem/1.5 system-ui, sans-serif; background: var(--shade); }
.told pre { background: var(--paper); }
img { max-width: 100%; background: #fff; border: 1px solid var(--rule); border-radius: 6px; }
.lane { display: block; width: 100%; height: 2.9rem; background: var(--shade);
  border: 1px solid var(--rule); border-radius: 6px; } figure { margin: .5rem 0; }
.lane .is-compiled { fill: var(--compiled); } .lane .is-python { fill: var(--python); }
figcaption { font-size: .85rem; }
@media print { details { break-inside: avoid; } body { max-width: none; } }
"""
