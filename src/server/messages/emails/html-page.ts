import { createElement as h, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { LANGUAGE } from '#core/shared/locale.ts'
import { DISPLAY_FONTS } from '#server/platform/display-fonts.ts'
import type { MailImage } from '#server/ports/mailer.ts'
import type { MailLogo } from '#server/records/branding/to-branding.ts'
import { LAYOUT_TABLE_ATTRIBUTES, renderBlock, renderLayoutTable, toHtmlText } from './html-blocks.ts'
import { buildMailStyler, buildStyleSheet, type MailStyler } from './html-styles.ts'
import type { MailDocument } from './mail-document.ts'

const SANS = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * Width of an email in pixels. It is wide enough for a line of 75 characters, and narrow enough for the reading pane of
 * a desktop client.
 */
const WIDTH_PX = 560

/**
 * Renders an email as HTML that all mail clients can show: layout tables and inline styles, with a style sheet only for
 * optional parts (dark mode, narrow screens). It loads nothing from the web: the only image, a logo, is attached. React
 * escapes everything that people typed.
 */
export function renderHtmlPage(document: MailDocument): string {
  const styleProps = buildMailStyler(document)
  const page = h(
    'html',
    { lang: LANGUAGE, dir: 'ltr' },
    renderHead(document),
    h(
      'body',
      styleProps('paper', { margin: 0, padding: 0, fontFamily: SANS, WebkitTextSizeAdjust: '100%' }),
      renderPreview(document.preview),
      renderLayoutTable(
        styleProps('paper'),
        h(
          'td',
          { align: 'center', className: 'frame', style: { padding: '32px 16px' } },
          renderSheet(document, styleProps),
        ),
      ),
    ),
  )
  return `<!doctype html>${renderToStaticMarkup(page)}`
}

function renderHead(document: MailDocument): ReactElement {
  return h(
    'head',
    null,
    h('meta', { charSet: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    // Keep phones from turning dates and references into links.
    h('meta', { name: 'format-detection', content: 'telephone=no, date=no, address=no, email=no, url=no' }),
    h('meta', { name: 'x-apple-disable-message-reformatting' }),
    h('title', null, document.heading),
    h('style', null, buildStyleSheet(document)),
  )
}

/** Renders hidden text for inboxes, which show the first words of an email after its subject. */
function renderPreview(preview: string): ReactElement {
  const hidden = {
    display: 'none',
    maxHeight: 0,
    maxWidth: 0,
    opacity: 0,
    overflow: 'hidden',
    fontSize: '1px',
  }
  return h('div', { style: hidden }, ...toHtmlText(preview))
}

function renderSheet(document: MailDocument, styleProps: MailStyler): ReactElement {
  return h(
    'table',
    {
      ...LAYOUT_TABLE_ATTRIBUTES,
      width: WIDTH_PX,
      style: { width: '100%', maxWidth: `${WIDTH_PX}px`, textAlign: 'left' },
    },
    h(
      'tbody',
      null,
      h('tr', null, renderMasthead(document, styleProps)),
      h('tr', null, renderBody(document, styleProps)),
      h('tr', null, renderFooter(document, styleProps)),
    ),
  )
}

/**
 * Renders the head of an email. The calendar's colour is a stripe beside its name, so that no text has to be readable
 * on it.
 */
function renderMasthead({ masthead, brand }: MailDocument, styleProps: MailStyler): ReactElement {
  return h(
    'td',
    { style: { padding: '0 4px 14px' } },
    h(
      'table',
      LAYOUT_TABLE_ATTRIBUTES,
      h(
        'tbody',
        null,
        h(
          'tr',
          null,
          h('td', { ...styleProps('accent', { width: '6px', borderRadius: '3px', fontSize: 0 }), width: 6 }),
          brand?.logo ? renderLogo(brand.logo) : null,
          h(
            'td',
            styleProps('ink', {
              padding: '2px 0 2px 12px',
              fontSize: '16px',
              lineHeight: '22px',
              fontWeight: 600,
              overflowWrap: 'anywhere',
            }),
            h('span', { dir: 'auto' }, ...toHtmlText(masthead)),
          ),
        ),
      ),
    ),
  )
}

/** The Content-ID of the logo. */
const LOGO_ID = 'logo@meridian'
/** Maximum height of a logo in an email, in pixels. Logos are stored at twice the size at which they are shown. */
const LOGO_MAX_HEIGHT = 48

/**
 * Renders the logo, always on white, because most logos would be invisible in dark mode. The name beside it is the text
 * alternative.
 */
function renderLogo({ width, height }: MailLogo): ReactElement {
  const shownHeight = Math.min(Math.ceil(height / 2), LOGO_MAX_HEIGHT)
  const shownWidth = Math.max(Math.round((width * shownHeight) / height), 1)
  const style = { display: 'block', padding: '4px', borderRadius: '6px', backgroundColor: '#ffffff' }
  return h(
    'td',
    { style: { padding: '0 0 0 12px' } },
    h('img', { src: `cid:${LOGO_ID}`, alt: '', width: shownWidth, height: shownHeight, style }),
  )
}

/** Returns the images to attach to an email. */
export function toMailImages({ brand }: MailDocument): { readonly images?: readonly MailImage[] } {
  if (!brand?.logo) return {}
  const { content } = brand.logo
  return { images: [{ contentId: LOGO_ID, filename: 'logo.png', contentType: 'image/png', content }] }
}

function renderBody({ heading, blocks }: MailDocument, styleProps: MailStyler): ReactElement {
  return h(
    'td',
    styleProps(
      'surface',
      { padding: '32px 32px 16px', borderWidth: '1px', borderStyle: 'solid', borderRadius: '16px' },
      'inside',
    ),
    h(
      'h1',
      styleProps('ink', {
        margin: '0 0 16px',
        fontFamily: DISPLAY_FONTS,
        fontSize: '28px',
        lineHeight: '34px',
        fontWeight: 600,
      }),
      heading,
    ),
    ...blocks.map((block) => renderBlock(block, styleProps)),
  )
}

function renderFooter({ footer }: MailDocument, styleProps: MailStyler): ReactElement {
  const style = { margin: '0 0 8px', fontSize: '13px', lineHeight: '19px', overflowWrap: 'anywhere' } as const
  return h(
    'td',
    { style: { padding: '20px 4px 0' } },
    ...footer.map((text) => h('p', styleProps('soft', style), ...toHtmlText(text))),
  )
}
