import type { CssNode } from 'css-tree'

/** The allow-list for custom CSS. Anything that is not listed here is refused. Source: rule K7. */

/** The container of the booking page's content. Every selector is confined to it. */
export const CONTAINER_SELECTOR = '[data-look]'

/** The protected parts of the page: the agreed terms, the price, and the button that confirms them. Source: rule K8. */
export const PROTECTED_SELECTOR = '[data-kept]'

/** Properties that are safe on elements that contain a protected part, because they change only its surroundings. */
export const PROPERTIES_WITH_PROTECTED_CONTENT: ReadonlySet<string> = listNames(`
  accent-color background background-color background-image background-position background-repeat background-size
  border-color border-block-color border-inline-color border-top-color border-right-color border-bottom-color
  border-left-color border-radius border-top-left-radius border-top-right-radius border-bottom-left-radius
  border-bottom-right-radius font-family
`)

/** Properties for elements that neither are nor contain a protected part. */
export const PROPERTIES_WITHOUT_PROTECTED_CONTENT: ReadonlySet<string> = listNames(`
  align-content align-items align-self animation animation-delay animation-direction animation-duration
  animation-fill-mode animation-iteration-count animation-name animation-play-state animation-timing-function
  aspect-ratio background-attachment background-clip background-origin border border-block border-block-end
  border-block-start border-block-style border-block-width border-bottom border-bottom-style border-bottom-width
  border-inline border-inline-end border-inline-start border-inline-style border-inline-width border-left
  border-left-style border-left-width border-right border-right-style border-right-width border-spacing border-style
  border-top border-top-style border-top-width border-width block-size box-shadow box-sizing caret-color color
  column-count column-gap column-rule column-width columns content cursor display filter flex flex-basis
  flex-direction flex-flow flex-grow flex-shrink flex-wrap font font-feature-settings font-kerning font-size
  font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-numeric font-weight gap grid
  grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-row grid-template-columns grid-template-rows height
  hyphens inline-size justify-content justify-items justify-self letter-spacing line-height list-style
  list-style-position list-style-type margin margin-block margin-block-end margin-block-start margin-bottom
  margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top max-height max-width
  min-height min-width object-fit object-position opacity order outline outline-color outline-offset outline-style
  outline-width overflow overflow-wrap overflow-x overflow-y padding padding-block padding-block-end
  padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right
  padding-top place-content place-items place-self position quotes rotate row-gap scale tab-size table-layout
  text-align text-decoration text-decoration-color text-decoration-line text-decoration-style
  text-decoration-thickness text-indent text-overflow text-shadow text-transform text-underline-offset text-wrap
  transform transform-origin transition transition-delay transition-duration transition-property
  transition-timing-function translate vertical-align visibility white-space width word-break word-spacing writing-mode
`)

/** Properties with an allow-list of keywords; computed values are refused. */
export const ALLOWED_KEYWORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  // Values such as `absolute` are not allowed, because nothing may be positioned over the page.
  position: listNames('static relative'),
  display: listNames('none block inline inline-block flex inline-flex grid inline-grid flow-root list-item'),
}

/**
 * Matches properties that accept only plain lengths of zero or more, so that nothing can be pulled over or out of the
 * page.
 */
export const NON_NEGATIVE_PROPERTIES = /^margin(-|$)/

/** Properties that accept quoted strings. */
export const STRING_PROPERTIES: ReadonlySet<string> = listNames('content font font-family quotes hyphens')

/** Allowed functions. None of them loads a resource or reads the page. */
export const ALLOWED_FUNCTIONS: ReadonlySet<string> = listNames(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color-mix light-dark calc min max clamp round abs sign var
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
  repeating-conic-gradient cubic-bezier steps linear repeat minmax fit-content blur brightness contrast drop-shadow
  grayscale hue-rotate invert saturate sepia rotate scale scalex scaley skew skewx skewy translate translatex
  translatey
`)

/** Allowed units of length, angle, time, resolution and grid fractions. Source: CSS Values and Units 4. */
export const ALLOWED_UNITS: ReadonlySet<string> = listNames(`
  em rem ex rex cap rcap ch rch ic ric lh rlh vw vh vi vb vmin vmax svw svh svi svb svmin svmax lvw lvh lvi lvb lvmin
  lvmax dvw dvh dvi dvb dvmin dvmax cqw cqh cqi cqb cqmin cqmax cm mm q in pt pc px deg grad rad turn s ms
  dpi dpcm dppx x fr
`)

export const ALLOWED_AT_RULES: ReadonlySet<string> = listNames('media supports keyframes')

export const ALLOWED_PSEUDO_CLASSES: ReadonlySet<string> = listNames(`
  hover focus focus-visible focus-within active disabled enabled checked required optional valid invalid empty
  first-child last-child only-child first-of-type last-of-type only-of-type link any-link placeholder-shown
`)
/** Pseudo-classes that take a selector list. */
export const SELECTOR_LIST_PSEUDO_CLASSES: ReadonlySet<string> = listNames('not is where')
/** Pseudo-classes that take an `an+b` argument. */
export const NTH_PSEUDO_CLASSES: ReadonlySet<string> = listNames(
  'nth-child nth-last-child nth-of-type nth-last-of-type',
)
export const ALLOWED_PSEUDO_ELEMENTS: ReadonlySet<string> = listNames(
  'before after marker placeholder first-line first-letter',
)

/** Attributes that selectors may use. Only the product sets their values, so none contains customer input. */
export const ALLOWED_ATTRIBUTES: ReadonlySet<string> = listNames(
  'type role data-part aria-pressed aria-current aria-selected open',
)

/** Elements outside the container, which selectors may not name. */
export const ELEMENTS_OUTSIDE_CONTAINER: ReadonlySet<string> = listNames('html body head')

function listNames(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** A refused part of custom CSS. The message is shown to the owner. */
export class StyleError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.name = 'StyleError'
    this.line = line
  }
}

/**
 * Refuses a part of the CSS.
 * @throws StyleError always
 */
export function throwStyleError(node: CssNode, message: string): never {
  throw new StyleError(node.loc?.start.line ?? 1, message)
}
