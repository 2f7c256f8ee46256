import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { LANGUAGE } from '#core/shared/locale.ts'
import { DISPLAY_FONTS } from '#server/platform/display-fonts.ts'
import { type Html, html } from './html.ts'

export type SandboxPage = {
  /** The provider's name, such as Stripe. */
  readonly provider: string
  readonly title: string
  /** What went wrong, shown above the body. */
  readonly alert?: string | null | undefined
  readonly body?: Html
  /** A reassuring note, such as "no real money moves". */
  readonly note?: string
  /** True for a page with two columns. */
  readonly isWide?: boolean
}

/** Sends a sandbox page in Meridian's design. The page states that it is a sandbox. */
export function sendSandboxPage(
  reply: FastifyReply,
  { provider, title, alert, body = html``, note = 'no real money moves', isWide = false }: SandboxPage,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${provider} sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<header><p>${provider} sandbox</p><p>Sandbox: ${note}</p></header>
<main${isWide ? html` class="wide"` : ''}>
<h1>${title}</h1>
${alert == null ? '' : html`<p class="alert" role="alert">${alert}</p>`}
${body}
</main>
</body>
</html>
`
  return reply.type('text/html; charset=utf-8').send(page.html)
}

/** The hash that allows the pages' inline style in a Content-Security-Policy. */
export function getStyleCspHash(): string {
  return `sha256-${createHash('sha256').update(STYLE.html).digest('base64')}`
}

/** Copies Meridian's colours (web/ui/theme.css), because a sandbox runs its own server. */
const STYLE: Html = {
  html: `
:root { color-scheme: light dark; --paper: light-dark(#faf6ee, #0e1524); --surface: light-dark(#fffdf9, #162033);
  --line: light-dark(#e4dccb, #27344c); --line-strong: light-dark(#8c8371, #6f7f9c); --ink: light-dark(#1a2436, #f3ede0);
  --ink-soft: light-dark(#4a5468, #b9c0ce); --noon: light-dark(#f4b12f, #f6bb4b); --noon-soft: light-dark(#fcecc8, #3a2f18);
  --danger: light-dark(#a8321f, #f2937f); --danger-soft: light-dark(#fbe6df, #3b1c18); --focus: light-dark(#1f5fbf, #9cc3f5); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif;
  overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 1rem;
  background: var(--noon-soft); border-bottom: 1px solid var(--line); font-size: .875rem; }
header p { margin: 0; } header p:first-child { font-weight: 600; }
main { max-width: 32rem; margin: 2rem auto; padding: 0 1rem; } main.wide { max-width: 72rem; }
.columns { display: grid; gap: 1rem; margin-top: 1rem; align-items: start; } .columns > * { min-width: 0; }
.list { list-style: none; margin: .5rem 0 1.5rem; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; }
.list li + li { border-top: 1px solid var(--line); } .list a { display: block; padding: .75rem 1rem; text-decoration: none; }
.list a[aria-current] { background: var(--noon-soft); } .list b, .list .soft { display: block; }
iframe { width: 40rem; max-width: 100%; height: 64rem; margin: 1rem 0; overflow: auto; resize: both; border: 1px solid var(--line-strong); background: #fff; }
pre { font-size: .875rem; white-space: pre-wrap; }
@media (width < 48rem) { .wide-only { display: none; } }
@media (width >= 48rem) { .columns { grid-template-columns: 18rem minmax(0, 1fr); } .narrow-only { display: none; } }
h1, h2 { font-family: ${DISPLAY_FONTS}; line-height: 1.2; }
h1 { font-size: 1.75rem; } h2 { margin: 0; font-size: 1.25rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1rem; }
.card > :first-child { margin-top: 0; } .card > :last-child { margin-bottom: 0; }
.amount { font-size: 1.5rem; font-weight: 600; margin: .25rem 0; }
.soft { color: var(--ink-soft); font-size: .875rem; }
.alert { background: var(--danger-soft); color: var(--danger); border-radius: .5rem; padding: .75rem 1rem; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, select { width: 100%; min-height: 2.75rem; padding: 0 .75rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line-strong); border-radius: .5rem; }
.box { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; font-weight: 400; } .box input { width: 1.25rem; min-height: 0; height: 1.25rem; flex: none; }
label input, label select { font-weight: 400; margin-top: .25rem; } label + label { margin-top: .75rem; } .box + .box { margin-top: 0; }
nav + h2 { margin-top: 1.5rem; } h2 + form, h2 + label { margin-top: .75rem; } .button[aria-current] { background: var(--noon-soft); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
button, .button { display: inline-block; min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: inherit; cursor: pointer;
  background: transparent; border: 1px solid var(--line-strong); border-radius: .5rem; text-decoration: none; }
button.main { background: var(--noon); border-color: var(--noon); color: #1a2436; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
a { color: inherit; } p > a:not(.button) { display: inline-block; padding: .75rem 0; } summary { cursor: pointer; min-height: 2.75rem; padding: .5rem 0; }
dl { margin: 0; font-size: .875rem; } dt { font-weight: 600; } dd { margin: 0 0 .5rem; color: var(--ink-soft); }
`,
}
