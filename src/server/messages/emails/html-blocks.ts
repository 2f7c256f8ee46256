import { type CSSProperties, createElement as h, type ReactElement, type ReactNode } from 'react'
import { DISPLAY_FONTS } from '#server/platform/display-fonts.ts'
import type { MailColorRole, MailStyler } from './html-styles.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'

const NO_BREAK_SPACE = '\u00a0'
export const LAYOUT_TABLE_ATTRIBUTES = {
  role: 'presentation',
  cellPadding: 0,
  cellSpacing: 0,
  border: 0,
} as const
const TEXT: CSSProperties = { fontSize: '16px', lineHeight: '24px', overflowWrap: 'anywhere' }
const SMALL: CSSProperties = { fontSize: '14px', lineHeight: '20px', overflowWrap: 'anywhere' }

/** Style that makes a line of text as high as a touch target, 44 px. */
const TAPPABLE: CSSProperties = { display: 'inline-block', padding: '10px 0' }

type LayoutAttributes = { readonly className?: string; readonly style?: CSSProperties }

/** Renders one block of an email as HTML. */
export function renderBlock(block: MailBlock, styleProps: MailStyler): ReactElement {
  switch (block.kind) {
    case 'paragraph':
      return h('p', styleProps('ink', { ...TEXT, margin: '0 0 16px' }), ...toHtmlText(block.text))
    case 'time':
      return renderTime(block, styleProps)
    case 'facts':
      return renderFacts(block.facts, styleProps)
    case 'notes':
      return renderNotes(block, styleProps)
    case 'button':
      return renderButton(block, styleProps)
    case 'choices':
      return renderChoices(block, styleProps)
    case 'link':
      return h(
        'p',
        { style: { ...TEXT, margin: 0 } },
        renderLink(block.label, block.url, styleProps, TAPPABLE),
      )
  }
}

function renderTime(block: Extract<MailBlock, { kind: 'time' }>, styleProps: MailStyler): ReactElement {
  const { time, elsewhere, cancelled } = block
  const textDecoration = cancelled ? 'line-through' : 'none'
  const large: CSSProperties = {
    fontFamily: DISPLAY_FONTS,
    fontSize: '21px',
    lineHeight: '28px',
    textDecoration,
  }
  return renderLayoutTable(
    { style: { margin: '4px 0 20px' } },
    h(
      'td',
      styleProps('sunken', { padding: '18px 20px', borderRadius: '12px' }),
      h('div', styleProps('ink', large), time.date),
      h('div', styleProps('ink', { ...large, fontWeight: 600 }), time.clock),
      h('div', styleProps('soft', { ...SMALL, marginTop: '2px' }), time.zone),
      elsewhere === null
        ? null
        : h('div', styleProps('soft', { ...SMALL, marginTop: '6px' }), ...toHtmlText(elsewhere)),
      cancelled ? null : renderDayLine(time.startMinuteOfDay, styleProps),
    ),
  )
}

/** The quarters of the day on the line, from left to right, by colour. */
const QUARTERS: readonly MailColorRole[] = ['night', 'dawn', 'noonday', 'dusk']

/** The width of the sun, in percent of the line. It leaves room for the sun at 23:59. */
const SUN_SHARE = 3

/**
 * Shows the position of the appointment in the day: a sun above a line from midnight to midnight. The line is
 * decorative; the text contains the same information.
 */
function renderDayLine(startMinuteOfDay: number, styleProps: MailStyler): ReactElement {
  const percent = Math.round((startMinuteOfDay / 1440) * (100 - SUN_SHARE))
  const flat: CSSProperties = { fontSize: 0, lineHeight: 0, padding: 0 }
  return h(
    'div',
    { 'aria-hidden': true, style: { marginTop: '14px' } },
    renderLayoutTable(
      {},
      h('td', { width: `${percent}%`, style: { ...flat, width: `${percent}%` } }),
      h(
        'td',
        { width: 12, style: { ...flat, width: '12px' } },
        h('div', styleProps('sun', { ...flat, width: '12px', height: '12px', borderRadius: '6px' })),
      ),
      h('td', { style: flat }),
    ),
    renderLayoutTable(
      { style: { marginTop: '3px' } },
      ...QUARTERS.map((quarter) =>
        h('td', {
          ...styleProps(quarter, { ...flat, width: '25%', height: '4px' }),
          width: '25%',
          height: 4,
        }),
      ),
    ),
    h(
      'div',
      styleProps('soft', { fontSize: '12px', lineHeight: '16px', marginTop: '4px', textAlign: 'center' }),
      'noon',
    ),
  )
}

function renderFacts(facts: readonly MailDetail[], styleProps: MailStyler): ReactElement {
  const label = styleProps('soft', { ...SMALL, width: '132px', padding: '5px 12px 5px 0' }, 'fact fact-label')
  const value = styleProps('ink', { ...TEXT, padding: '3px 0 7px' }, 'fact')
  return h(
    'table',
    { ...LAYOUT_TABLE_ATTRIBUTES, width: '100%', style: { margin: '0 0 16px' } },
    h(
      'tbody',
      null,
      ...facts.map((fact) =>
        h(
          'tr',
          null,
          h('td', { ...label, width: 132, valign: 'top' }, fact.label),
          h('td', { ...value, valign: 'top' }, ...renderFactLines(fact, styleProps)),
        ),
      ),
    ),
  )
}

function renderFactLines({ lines, href }: MailDetail, styleProps: MailStyler): ReactElement[] {
  return lines.map((line) =>
    href === undefined ? renderTyped(line, 'left') : renderLink(line, href, styleProps),
  )
}

function renderNotes(
  { label, lines }: Extract<MailBlock, { kind: 'notes' }>,
  styleProps: MailStyler,
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
    h('div', styleProps('soft', { ...SMALL, margin: '0 0 6px' }), ...toHtmlText(label)),
    h('div', styleProps('quote', quote), ...lines.map((line) => renderTyped(line, 'start'))),
  )
}

function renderButton(block: Extract<MailBlock, { kind: 'button' }>, styleProps: MailStyler): ReactElement {
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
      LAYOUT_TABLE_ATTRIBUTES,
      h(
        'tbody',
        null,
        h(
          'tr',
          null,
          h(
            'td',
            styleProps('button', { borderRadius: '10px', borderWidth: '1px', borderStyle: 'solid' }),
            h(
              'a',
              { href: block.url, ...styleProps('button', { ...face, borderRadius: '10px' }) },
              block.label,
            ),
          ),
        ),
      ),
    ),
    block.spelledOut ? renderSpelledOut(block.url, styleProps) : null,
  )
}

function renderChoices(
  { label, choices }: Extract<MailBlock, { kind: 'choices' }>,
  styleProps: MailStyler,
): ReactElement {
  const face: CSSProperties = {
    ...TEXT,
    display: 'inline-block',
    padding: '9px 16px',
    margin: '0 8px 8px 0',
    borderWidth: '1px',
    borderStyle: 'solid',
    borderRadius: '10px',
    textDecoration: 'none',
  }
  return h(
    'div',
    { style: { margin: '0 0 12px' } },
    h('div', styleProps('soft', { ...SMALL, margin: '0 0 6px' }), ...toHtmlText(label)),
    ...choices.map(({ label: text, url }) => h('a', { href: url, ...styleProps('choice', face) }, text)),
  )
}

function renderSpelledOut(url: string, styleProps: MailStyler): ReactElement {
  return h(
    'p',
    styleProps('soft', { ...SMALL, margin: '16px 0 0' }),
    'If the button doesn’t work, open this address:',
    h('br'),
    renderLink(url, url, styleProps),
  )
}

function renderLink(
  label: string,
  url: string,
  styleProps: MailStyler,
  style: CSSProperties = {},
): ReactElement {
  return h('a', { href: url, ...styleProps('link', { textDecoration: 'underline', ...style }) }, label)
}

/**
 * Wraps each isolated name in a `<bdi>` element as well, because some mail clients support only the element, and others
 * only the Unicode isolates.
 */
export function toHtmlText(text: string): ReactNode[] {
  return text
    .split(/(?<=\u2068)([^\u2069]*)(?=\u2069)/)
    .map((part, at) => (at % 2 === 1 ? h('bdi', { dir: 'auto' }, part) : part))
}

/** Renders a line that a person typed, in the direction of its own script. An empty line keeps its height. */
function renderTyped(line: string, textAlign: 'left' | 'start'): ReactElement {
  return h(
    'div',
    { dir: 'auto', style: { textAlign } },
    ...(line === '' ? [NO_BREAK_SPACE] : toHtmlText(line)),
  )
}

/** Builds a layout table with one row. */
export function renderLayoutTable(attributes: LayoutAttributes, ...cells: ReactElement[]): ReactElement {
  return h(
    'table',
    { ...LAYOUT_TABLE_ATTRIBUTES, width: '100%', ...attributes },
    h('tbody', null, h('tr', null, ...cells)),
  )
}
