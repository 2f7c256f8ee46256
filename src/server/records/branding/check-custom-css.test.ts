import { generate, ident, parse, tokenize, tokenTypes, walk } from 'css-tree'
import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { checkCustomCss } from './check-custom-css.ts'
import { PROPERTIES_WITH_PROTECTED_CONTENT, PROPERTIES_WITHOUT_PROTECTED_CONTENT } from './style-rules.ts'

async function refusalsOf(css: string): Promise<string[]> {
  const { css: written, refused } = await checkCustomCss(css)
  if (refused.length > 0) expect(written).toBe('')
  return refused.map(({ line, message }) => `${line}: ${message}`)
}

test.each([
  ['{}\n', 10_900],
  ['!{}\n', 8_100],
  ['a{b}\n', 6_500],
])(
  'a file full of %j is not read to its end: each error of the parser takes as long as the file',
  async (line, count) => {
    const { css, refused } = await checkCustomCss(line.repeat(count))
    expect(css).toBe('')
    expect(refused).toEqual([{ line: 51, message: 'More than 50 parts up to here aren’t valid CSS.' }])
  },
)

describe('what loads something is refused', () => {
  test.each([
    '@import url("https://evil.example/x.css");',
    '@import "https://evil.example/x.css";',
    '@\\69 mport url(https://evil.example/x.css);',
    '@\\000069mport "https://evil.example";',
    '@IMPORT url(//evil.example);',
    '@font-face { font-family: x; src: url(https://evil.example/x.woff) }',
    '@namespace svg url(http://www.w3.org/2000/svg);',
    '@charset "utf-7";',
    'p { background: url(https://evil.example/x.png) }',
    'p { background: url("https://evil.example/x.png") }',
    'p { background: u\\72l(https://evil.example/x.png) }',
    'p { background: \\75\\72\\6c (https://evil.example/x.png) }',
    'p { background: URL(//evil.example) }',
    'p { background-image: image-set("https://evil.example/x.png" 1x) }',
    'p { background-image: -webkit-image-set("https://evil.example/x.png" 1x) }',
    'p { background-image: i\\6d age-set("https://evil.example/x.png" 1x) }',
    'p { background-image: image("https://evil.example/x.png") }',
    'p { background-image: cross-fade(url(x), url(y)) }',
    'p { background-image: src("https://evil.example") }',
    'p { background-image: element(#x) }',
    'p { background-image: paint(worklet) }',
    'p { cursor: url(x), auto }',
    'p { --x: url(https://evil.example) }',
    'p { --x: { background: url(x) } }',
    'p { content: attr(value) }',
    'p { content: url(x) }',
    'p { list-style: url(x) }',
    'p { list-style-image: url(x) }',
    'p { filter: url(#x) }',
    'p { mask: url(x) }',
    'p { -webkit-mask-image: url(x) }',
    'p { behavior: url(x.htc) }',
    'p { -moz-binding: url(x.xml#y) }',
    'p { width: expression(alert(1)) }',
    'p { width: exp\\72 ession(alert(1)) }',
    '@supports (background: url(x)) { p { color: red } }',
    '@media url(x) { p { color: red } }',
    '@property --x { syntax: "<url>"; inherits: true; initial-value: url(x) }',
    '@page { margin: 0 }',
    '@layer utilities { p { color: red } }',
    '@container (width > 1px) { p { color: red } }',
    '@scope (html) { p { color: red } }',
    '@starting-style { p { color: red } }',
    '@counter-style x { symbols: url(x) }',
    '@view-transition { navigation: auto }',
  ])('%s', async (css) => {
    expect(await refusalsOf(css)).not.toEqual([])
  })
})

describe('what reaches out of the page, or reads it, is refused', () => {
  test.each([
    ':root { --ink: red }',
    'html { color: red }',
    'body { color: red }',
    'h\\74ml { color: red }',
    'BODY p { color: red }',
    ':is(html) p { color: red }',
    ':not(body) { color: red }',
    ':has(p) { color: red }',
    'p:has(input) { color: red }',
    ':host { color: red }',
    ':host(p) { color: red }',
    '::slotted(p) { color: red }',
    '::part(x) { color: red }',
    '~ p { color: red }',
    '+ p { color: red }',
    '> p { color: red }',
    ':scope ~ p { color: red }',
    ':scope + footer { color: red }',
    'p { & ~ p { color: red } }',
    '& { color: red }',
    'p { color: red; @media print { color: blue } }',
    'svg|a { color: red }',
    '*|* { color: red }',
    'p || p { color: red }',
    'p:nth-child(1 of html) { color: red }',
    ':visited { color: red }',
    'p /deep/ p { color: red }',
    'input[value^="a"] { color: red }',
    'input[value="a"] { color: red }',
    'input[valu\\65] { color: red }',
    '[type^="a"] { color: red }',
    '[type="a" i] { color: red }',
    '[data-kept] { display: none }',
    '[data-look] { color: red }',
    '::-webkit-scrollbar { width: 0 }',
    '::selection { color: red }',
    ':scope:not([data-kept]) p { color: red }',
  ])('%s', async (css) => {
    expect(await refusalsOf(css)).not.toEqual([])
  })
})

describe('what stands over the page or is stronger than it is refused', () => {
  test.each([
    'p { position: fixed }',
    'p { position: absolute }',
    'p { position: sticky }',
    'p { position: f\\69xed }',
    'p { --p: fixed; position: var(--p) }',
    'p { z-index: 99 }',
    'p { inset: 0 }',
    'p { top: 0 }',
    'p { margin-top: -500px }',
    'p { margin: calc(1px - 500px) }',
    'p { margin: var(--x) }',
    'p { color: red !important }',
    'p { color: red ! important }',
    'p { color: red !ie }',
    'p { float: left }',
    'p { clip-path: inset(0) }',
    'p { mix-blend-mode: difference }',
    'p { pointer-events: none }',
    'p { all: unset }',
    'p { zoom: 9 }',
    'p { *zoom: 1 }',
    'p { _position: fixed }',
    'p { display: contents }',
    '@keyframes x { from { position: fixed } }',
    '@keyframes x { from { color: red !important } }',
    '@keyframes "x y" { from { color: red } }',
  ])('%s', async (css) => {
    expect(await refusalsOf(css)).not.toEqual([])
  })
})

describe('a selector that browsers ignore is refused', () => {
  test.each([
    ['p::before#b', 'Nothing can follow a selector with “::”.'],
    ['::before::before', 'Nothing can follow a selector with “::”.'],
    ['p::before:hover', 'Nothing can follow a selector with “::”.'],
    ['::before > p', 'Nothing can follow a selector with “::”.'],
    ['::before*', 'Nothing can follow a selector with “::”.'],
    ['.a*', 'The element name must come first, before its classes.'],
    ['p:not(.a*)', 'The element name must come first, before its classes.'],
    ['p:nth-child(1234567n)', 'This count isn’t valid.'],
    ['p:nth-child(2n+1234567)', 'This count isn’t valid.'],
  ])('%s', async (selector, message) => {
    expect(await refusalsOf(`${selector} { color: red }`)).toEqual([`1: ${message}`])
  })
})

describe('what does not end where it should is refused', () => {
  test.each([
    ['p { color: red', 1],
    ['p { color: red }\n}', 2],
    ['p { color: red }\n} body { display: none }', 2],
    ['p { color: "red\n" }', 1],
    ['p { color: rgb(1 2 3 }', 1],
    ['@media (width > 1px { p { color: red } }', 1],
    ['p { background: url(a b) }', 1],
    ['<!-- p { color: red } -->', 1],
    ['</style><script>alert(1)</script>', 1],
    ['p { color: red; }\n\nq { nonsense }', 3],
    ['p {\n  color: red;\n  foo: bar;\n}', 3],
    ['p { color: }', 1],
    ['p { width: 1pxurl() }', 1],
  ])('%s, in line %i', async (css, line) => {
    const [first] = await refusalsOf(css)
    expect(first).toMatch(new RegExp(`^${line}: `))
  })

  test('text of more than 32 kB, in characters or in bytes', async () => {
    expect(await refusalsOf('p{color:red}'.repeat(90_000))).toEqual(['1: Custom CSS can have at most 32 kB.'])
    expect(await refusalsOf(`p::before{content:"${'é'.repeat(20_000)}"}`)).toHaveLength(1)
  })

  test('brackets so deep that a parser would not come back', async () => {
    const deep = `p { width: ${'calc('.repeat(5_000)}1px${')'.repeat(5_000)} }`
    expect(await refusalsOf(deep)).toEqual(['1: Brackets are too deep within each other.'])
    const nested = `${'@media print{'.repeat(2_000)}${'}'.repeat(2_000)}`
    expect(await refusalsOf(nested)).toEqual(['1: Brackets are too deep within each other.'])
  })
})

test('every refusal is told, with its line', async () => {
  const css = '@import "x";\np { color: red }\np {\n  position: fixed;\n  z-index: 3;\n}\nbody { color: red }'
  expect(await refusalsOf(css)).toEqual([
    '1: “@import” isn’t allowed.',
    '4: “position” can only be static, relative.',
    '5: The property “z-index” isn’t allowed.',
    '7: “body” is not part of the booking page. Use :scope for the whole page.',
  ])
})

test('a rule is written for the page, outside of what is kept and what contains it', async () => {
  const { css, refused } = await checkCustomCss(
    'h1, .a > p:hover::before { color: #123; background-color: red }',
  )
  expect(refused).toEqual([])
  expect(css).toBe(
    '@layer theme,base,components,utilities,look;@layer look{' +
      '[data-look] h1:not([data-kept],[data-kept] *),' +
      '[data-look] .a>p:hover:not([data-kept],[data-kept] *)::before{background-color:red}' +
      '[data-look] h1:not([data-kept],[data-kept] *,:has([data-kept])),' +
      '[data-look] .a>p:hover:not([data-kept],[data-kept] *,:has([data-kept]))::before' +
      '{color:#123;background-color:red}}',
  )
})

test('the whole page is :scope, and what would reach into the kept part is not written for it', async () => {
  const { css } = await checkCustomCss(
    ':scope { font-family: Georgia, serif; opacity: 0 } :scope > header { gap: 2rem }',
  )
  expect(css).toContain('[data-look]:not([data-kept],[data-kept] *){font-family:Georgia , serif}')
  expect(css).toContain(
    '[data-look]:not([data-kept],[data-kept] *,:has([data-kept])){font-family:Georgia , serif;opacity:0}',
  )
  expect(css).toContain('[data-look]>header:not([data-kept],[data-kept] *,:has([data-kept])){gap:2rem}')
})

test('media, conditions, animations, variables and gradients are written', async () => {
  const { css, refused } = await checkCustomCss(`
    /* a comment */
    @media (width < 40rem) and (prefers-color-scheme: dark) { h1 { font-size: clamp(1rem, 4vw, 2rem) } }
    @supports (display: grid) { h2 { display: grid } }
    @keyframes glow { from { opacity: 0.5 } 50.5% { opacity: 1 } }
    h1 { animation: glow 2s ease-in-out infinite; --tint: #abc; color: var(--tint) }
    header { background: linear-gradient(90deg, rgb(0 0 0 / 50%), transparent) }
    li:nth-child(2n+1):not(.a, :first-child) { margin: 0 auto 1px }
    p::after { content: "»\\"" }
    .sm\\:flex, #a\\.b, .a\\@import { color: red }
  `)
  expect(refused).toEqual([])
  expect(css).toContain('@media (width < 40rem) and (prefers-color-scheme: dark){')
  expect(css).toContain('@supports (display: grid){')
  expect(css).toContain('@keyframes look-glow{from{opacity:0.5}50.5%{opacity:1}}')
  expect(css).toContain('animation:look-glow 2s ease-in-out infinite')
  expect(css).toContain('--tint:#abc')
  expect(css).toContain('linear-gradient(90deg , rgb(0 0 0 / 50%) , transparent)')
  expect(css).toContain('li:nth-child(2n+1):not(.a,:first-child)')
  expect(css).toContain('.sm\\:flex')
  expect(css).toContain('.a\\@import')
})

test('nothing and comments alone make no style sheet', async () => {
  expect(await checkCustomCss('')).toEqual({ css: '', refused: [] })
  expect(await checkCustomCss('/* a */')).toEqual({ css: '', refused: [] })
})

/** Parts of attacks, which the test combines at random. */
const PIECES = [
  ...['@import', '@\\69 mport', '@media', '@layer', '@scope', '@keyframes', '@font-face', '@supports'],
  ...[
    'url(',
    'u\\72l(',
    'image-set(',
    'expression(',
    'var(',
    'calc(',
    'attr(',
    'rgb(',
    ')',
    '(',
    '"',
    "'",
    '\\',
    '\\\n',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ';',
    ':',
    ',',
    '&',
    '~',
    '>',
    '+',
    '*',
    '|',
    '!important',
    '/*',
    '*/',
    '<!--',
    '-->',
    '</style>',
  ],
  ...[
    'html',
    'body',
    ':root',
    ':scope',
    ':has(',
    ':not(',
    ':is(',
    '::before',
    'p',
    '.a',
    '#b',
    '[type',
    '=',
    'value',
  ],
  ...[
    'position',
    'fixed',
    'margin',
    '-1px',
    'color',
    'red',
    '--x',
    'content',
    'opacity',
    '0',
    'background',
    'x',
  ],
  ...['https://evil.example/', ' ', '\n', '\u0000', '\u00e9', '\u{1f600}', '\f', '1e3', '50%', 'from', 'to'],
]

test('whatever is typed, what is written loads nothing and stays inside the page', async () => {
  const anyText = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => `p { color: ${pieces.join('')} }`),
    fc
      .array(fc.constantFrom(...PIECES), { maxLength: 8 })
      .map((pieces) => `${pieces.join('')} { color: red }`),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const { css, refused } = await checkCustomCss(text)
      if (refused.length > 0) expect(css).toBe('')
      if (css !== '') expectHarmless(css)
    }),
    { numRuns: 3_000 },
  )
})

test('what is written is held to the guards and the properties, so that a rule without them would be found', () => {
  const inside = (rule: string) => () => expectHarmless(`@layer look{${rule}}`)
  const guard = ':not([data-kept],[data-kept] *,:has([data-kept]))'
  inside(`[data-look] p${guard}{color:red;position:relative}`)()
  inside('[data-look] p:not([data-kept],[data-kept] *)::before{background:red}')()
  expect(inside(`[data-look] p${guard}{position:fixed}`)).toThrow()
  expect(inside(`[data-look] p${guard}{z-index:1}`)).toThrow()
  expect(inside('[data-look] p{color:red}')).toThrow()
  expect(inside(`[data-look] p${guard}{color:red!important}`)).toThrow()
  expect(inside(`[data-look] p${guard}{background:i\\6d age-set("x" 1x)}`)).toThrow()
  expect(inside(`[data-look] p${guard}{background:u\\72l("x")}`)).toThrow()
  expect(inside(`[data-look] p${guard}{background:url(x)}`)).toThrow()
  expect(inside(`@\\69 mport "x";[data-look] p${guard}{color:red}`)).toThrow()
  expect(inside(`[data-look] p${guard}::before{content:"</style>"}`)).toThrow()
  expect(inside('[data-look] p:not([data-kept]){color:red}')).toThrow()
  expect(inside('[data-look] p:not([data-kept],[data-kept] *){color:red}')).toThrow()
  expect(inside(`[data-look] p:not(:has([data-kept]))${guard} a{color:red}`)).toThrow()
})

/**
 * Matches the end of every selector, which excludes protected elements and, for most properties, also elements that
 * contain them (rule K8).
 */
const GUARD = /:not\(\[data-kept\],\[data-kept\] \*(,:has\(\[data-kept\]\))?\)(::[a-z-]+)?$/

describe('what is written is at most 256 kB (rule K6)', () => {
  const lines = (count: number) => Array<string>(count).fill('a,b{padding:1px}')

  test('the line of the rule that exceeds the limit is reported once, whatever follows', async () => {
    const { css: one } = await checkCustomCss(lines(1).join('\n'))
    const { css: two } = await checkCustomCss(lines(2).join('\n'))
    const room = 256 * 1024 - Buffer.byteLength(one)
    const most = 1 + Math.floor(room / (Buffer.byteLength(two) - Buffer.byteLength(one)))
    const fitting = await checkCustomCss(lines(most).join('\n'))
    expect(fitting.refused).toEqual([])
    expect(Buffer.byteLength(fitting.css)).toBeGreaterThan(255 * 1024)
    expect(Buffer.byteLength(fitting.css)).toBeLessThanOrEqual(256 * 1024)
    const refusals = await refusalsOf(lines(most + 20).join('\n'))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toMatch(new RegExp(`^${most + 1}: Custom CSS can have at most 256 kB`))
    // The condition takes a line, and is written as well.
    const inside = await refusalsOf(['@media print {', ...lines(most + 1), '}'].join('\n'))
    expect(inside).toHaveLength(1)
    expect(inside[0]).toMatch(new RegExp(`^${most + 2}: Custom CSS can have at most 256 kB`))
  })

  test.each([
    ['one list of selectors', `${'a,'.repeat(15_000)}a{padding:1px}`],
    ['many short rules', 'a{gap:0}'.repeat(4_000)],
    ['classes of other alphabets', `${'.ü,'.repeat(8_000)}a{padding:1px}`],
  ])('%s of 32 kB cannot be more', async (_what, css) => {
    const { css: written, refused } = await checkCustomCss(css)
    expect([refused.length, written]).toEqual([1, ''])
  })
})

/** Matches CSS functions that load a resource, read the page or run a program. */
const LOADING_FUNCTION = /^(-\w+-)?(url|src|image|image-set|cross-fade|element|paint|attr|expression)\($/

/** Lists the tokens of CSS as a browser reads them, with decoded escapes. A name such as `.a\@import` is one token. */
function tokensOf(css: string): { type: number; text: string }[] {
  const tokens: { type: number; text: string }[] = []
  tokenize(css, (type, start, end) => {
    tokens.push({ type, text: ident.decode(css.slice(start, end)).toLowerCase() })
  })
  return tokens
}

/** Checks the rewritten CSS with a separate parser. */
function expectHarmless(css: string): void {
  const broken: string[] = []
  const sheet = parse(css, { parseCustomProperty: true, onParseError: ({ message }) => broken.push(message) })
  expect(broken).toEqual([])
  // This text would end the style element of the page.
  expect(css).not.toMatch(/<\/|<!/)
  expect(css).not.toContain('\u0000')
  for (const { type, text } of tokensOf(css)) {
    expect([tokenTypes.Url, tokenTypes.BadUrl, tokenTypes.BadString], text).not.toContain(type)
    if (type === tokenTypes.Function) expect(text).not.toMatch(LOADING_FUNCTION)
    if (type === tokenTypes.AtKeyword) expect(text).toMatch(/^@(layer|media|supports|keyframes)$/)
    if (type === tokenTypes.Delim) expect(text).not.toBe('!')
  }
  walk(sheet, (node) => {
    expect(['Url', 'Raw', 'NestingSelector', 'CDO', 'CDC']).not.toContain(node.type)
    if (node.type === 'Atrule') expect(['layer', 'media', 'supports', 'keyframes']).toContain(node.name)
  })
  walk(sheet, {
    visit: 'Rule',
    enter(node) {
      if (this.atrule?.name === 'keyframes' || node.prelude.type !== 'SelectorList') return
      const properties = node.block.children
        .toArray()
        .map((one) => (one.type === 'Declaration' ? one.property : one.type))
      for (const selector of node.prelude.children.toArray()) {
        expect(selector).toMatchObject({ type: 'Selector' })
        const [first] = selector.type === 'Selector' ? selector.children.toArray() : []
        expect(first).toMatchObject({ type: 'AttributeSelector', name: { name: 'data-look' } })
        const [found, withoutContainers] = GUARD.exec(generate(selector)) ?? []
        expect(found).toBeDefined()
        if (withoutContainers !== undefined) continue
        expect(properties.filter((name) => !PROPERTIES_WITH_PROTECTED_CONTENT.has(name))).toEqual([])
      }
    },
  })
  walk(sheet, {
    visit: 'Declaration',
    enter({ property, value }) {
      // Skip the condition of `@supports`, which sets no property.
      if (this.atrulePrelude !== null) return
      const isAllowed =
        PROPERTIES_WITH_PROTECTED_CONTENT.has(property) || PROPERTIES_WITHOUT_PROTECTED_CONTENT.has(property)
      expect(isAllowed || /^--[a-z]/.test(property), property).toBe(true)
      if (property === 'position') expect(['static', 'relative']).toContain(generate(value))
    },
  })
}
