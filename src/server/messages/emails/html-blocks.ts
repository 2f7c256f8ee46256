import { type CSSProperties, createElement as h, type ReactElement, type ReactNode } from 'react'
import { DISPLAY_FONTS } from '#server/platform/display-fonts.ts'
import type { MailColorRole, MailStyler } from './html-styles.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'

const NO_BREAK_SPACE = '\u00a0'
export const LAYOUT_TABLE = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const
const TEXT: CSSProperties = { fontSize: '16px', lineHeight: '24px', overflowWrap: 'anywhere' }
const SMALL: CSSProperties = { fontSize: '14px', lineHeight: '20px', overflowWrap: 'anywhere' }

/** A line of text as high as a touch target, 44 px. */
const TAPPABLE: CSSProperties = { display: 'inline-block', padding: '10px 0' }

type LayoutAttributes = { readonly className?: string; readonly style?: CSSProperties }

/** Renders one block of an email as HTML. */
export function renderBlock(block: MailBlock, dress: MailStyler): ReactElement {
  switch (block.kind) {
    case 'paragraph':
      return h('p', dress('ink', { ...TEXT, margin: '0 0 16px' }), ...toHtmlText(block.text))
    case 'time':
      return renderTime(block, dress)
    case 'facts':
      return renderFacts(block.facts, dress)
    case 'notes':
      return renderNotes(block, dress)
    case 'button':
      return renderButton(block, dress)
    case 'link':
      return h('p', { style: { ...TEXT, margin: 0 } }, renderLink(block.label, block.url, dress, TAPPABLE))
  }
}

function renderTime(block: Extract<MailBlock, { kind: 'time' }>, dress: MailStyler): ReactElement {
  const { time, elsewhere, cancelled } = block
  const textDecoration = cancelled ? 'line-through' : 'none'
  const large: CSSProperties = {
    fontFamily: DISPLAY_FONTS,
    fontSize: '21px',
    lineHeight: '28px',
    textDecoration,
  }
  return layoutTable(
    { style: { margin: '4px 0 20px' } },
    h(
      'td',
      dress('sunken', { padding: '18px 20px', borderRadius: '12px' }),
      h('div', dress('ink', large), time.date),
      h('div', dress('ink', { ...large, fontWeight: 600 }), time.clock),
      h('div', dress('soft', { ...SMALL, marginTop: '2px' }), time.zone),
      elsewhere === null
        ? null
        : h('div', dress('soft', { ...SMALL, marginTop: '6px' }), ...toHtmlText(elsewhere)),
      cancelled ? null : renderDayLine(time.startMinuteOfDay, dress),
    ),
  )
}

/** The quarters of the day on the line, from left to right. */
const QUARTERS: readonly MailColorRole[] = ['night', 'dawn', 'noonday', 'dusk']

/** The width of the sun in percent, so that 23:59 still fits on the line. */
const SUN_SHARE = 3

/**
 * The position of the appointment in the day: a sun above a line from midnight to midnight. It is decorative; the text
 * contains the same information.
 */
function renderDayLine(startMinuteOfDay: number, dress: MailStyler): ReactElement {
  const percent = Math.round((startMinuteOfDay / 1440) * (100 - SUN_SHARE))
  const flat: CSSProperties = { fontSize: 0, lineHeight: 0, padding: 0 }
  return h(
    'div',
    { 'aria-hidden': true, style: { marginTop: '14px' } },
    layoutTable(
      {},
      h('td', { width: `${percent}%`, style: { ...flat, width: `${percent}%` } }),
      h(
        'td',
        { width: 12, style: { ...flat, width: '12px' } },
        h('div', dress('sun', { ...flat, width: '12px', height: '12px', borderRadius: '6px' })),
      ),
      h('td', { style: flat }),
    ),
    layoutTable(
      { style: { marginTop: '3px' } },
      ...QUARTERS.map((quarter) =>
        h('td', { ...dress(quarter, { ...flat, width: '25%', height: '4px' }), width: '25%', height: 4 }),
      ),
    ),
    h(
      'div',
      dress('soft', { fontSize: '12px', lineHeight: '16px', marginTop: '4px', textAlign: 'center' }),
      'noon',
    ),
  )
}

function renderFacts(facts: readonly MailDetail[], dress: MailStyler): ReactElement {
  const label = dress('soft', { ...SMALL, width: '132px', padding: '5px 12px 5px 0' }, 'fact fact-label')
  const value = dress('ink', { ...TEXT, padding: '3px 0 7px' }, 'fact')
  return h(
    'table',
    { ...LAYOUT_TABLE, width: '100%', style: { margin: '0 0 16px' } },
    h(
      'tbody',
      null,
      ...facts.map((fact) =>
        h(
          'tr',
          null,
          h('td', { ...label, width: 132, valign: 'top' }, fact.label),
          h('td', { ...value, valign: 'top' }, ...renderFactLines(fact, dress)),
        ),
      ),
    ),
  )
}

function renderFactLines({ lines, href }: MailDetail, dress: MailStyler): ReactElement[] {
  return lines.map((line) => (href === undefined ? renderTyped(line, 'left') : renderLink(line, href, dress)))
}

function renderNotes(
  { label, lines }: Extract<MailBlock, { kind: 'notes' }>,
  dress: MailStyler,
): ReactElement {
  const quote: CSSProperties = {
    ...TEXT,
    padding: '2px 0 2px 14px',
    borderWidth: '0 0 0 3px',
    borderStyle: 'solid',
  }
  return h(
    'div',
    { style: { margin: '0 0 20px' } },
    h('div', dress('soft', { ...SMALL, margin: '0 0 6px' }), ...toHtmlText(label)),
    h('div', dress('quote', quote), ...lines.map((line) => renderTyped(line, 'start'))),
  )
}

function renderButton(block: Extract<MailBlock, { kind: 'button' }>, dress: MailStyler): ReactElement {
  const face: CSSProperties = {
    ...TEXT,
    display: 'inline-block',
    padding: '12px 22px',
    fontWeight: 600,
    textDecoration: 'none',
  }
  return h(
    'div',
    { style: { margin: '8px 0 20px' } },
    h(
      'table',
      LAYOUT_TABLE,
      h(
        'tbody',
        null,
        h(
          'tr',
          null,
          h(
            'td',
            dress('button', { borderRadius: '10px', borderWidth: '1px', borderStyle: 'solid' }),
            h('a', { href: block.url, ...dress('button', { ...face, borderRadius: '10px' }) }, block.label),
          ),
        ),
      ),
    ),
    block.spelledOut ? renderSpelledOut(block.url, dress) : null,
  )
}

function renderSpelledOut(url: string, dress: MailStyler): ReactElement {
  return h(
    'p',
    dress('soft', { ...SMALL, margin: '16px 0 0' }),
    'If the button does nothing, open this address:',
    h('br'),
    renderLink(url, url, dress),
  )
}

function renderLink(label: string, url: string, dress: MailStyler, style: CSSProperties = {}): ReactElement {
  return h('a', { href: url, ...dress('link', { textDecoration: 'underline', ...style }) }, label)
}

/**
 * Wraps each isolated name in a `<bdi>` element as well, because mail clients support either the element or the Unicode
 * isolates.
 */
export function toHtmlText(text: string): ReactNode[] {
  return text
    .split(/(?<=\u2068)([^\u2069]*)(?=\u2069)/)
    .map((part, at) => (at % 2 === 1 ? h('bdi', { dir: 'auto' }, part) : part))
}

/** A typed line in the direction of its own script. An empty line keeps its height. */
function renderTyped(line: string, textAlign: 'left' | 'start'): ReactElement {
  return h(
    'div',
    { dir: 'auto', style: { textAlign } },
    ...(line === '' ? [NO_BREAK_SPACE] : toHtmlText(line)),
  )
}

/** A layout table with one row. */
export function layoutTable(attributes: LayoutAttributes, ...cells: ReactElement[]): ReactElement {
  return h(
    'table',
    { ...LAYOUT_TABLE, width: '100%', ...attributes },
    h('tbody', null, h('tr', null, ...cells)),
  )
}
