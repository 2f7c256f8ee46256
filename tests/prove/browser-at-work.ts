/** A browser that is used as a person uses it. XPath identifies the elements, because both drivers support it. */
export type BrowserDriver = {
  /** The browser's name and version, as it reports them. */
  readonly name: string
  readonly open: (url: string) => Promise<void>
  /** Returns the URL of the current page. */
  readonly address: () => Promise<string>
  /** Waits for a visible element, and clicks the first one. */
  readonly press: (xpath: string) => Promise<void>
  /** Replaces the text in a field, key by key. */
  readonly type: (xpath: string, text: string) => Promise<void>
  /** Returns the text in a field. */
  readonly read: (xpath: string) => Promise<string>
  /** Waits until a matching element is visible. */
  readonly see: (xpath: string) => Promise<void>
  /** Saves a screenshot as a PNG file. */
  readonly picture: (path: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Wraps a browser so that each error names the failed step. */
export function withStepNamesInErrors(browser: BrowserDriver): BrowserDriver {
  return {
    ...browser,
    open: (url) => say(`open ${url}`, browser.open(url)),
    press: (xpath) => say(`press ${xpath}`, browser.press(xpath)),
    type: (xpath, text) => say(`type into ${xpath}`, browser.type(xpath, text)),
    read: (xpath) => say(`read ${xpath}`, browser.read(xpath)),
    see: (xpath) => say(`see ${xpath}`, browser.see(xpath)),
  }
}

async function say<Result>(step: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new Error(`${step}: ${cause}`, { cause })
  }
}

/** Maximum wait for an element, in milliseconds, on a machine that is busy with other work. */
export const MAX_ELEMENT_WAIT_MS = 60_000

/** The XPath of a button, link or tab with this text. */
export function xpathOfButtonOrLink(name: string): string {
  return `//*[self::button or self::a][normalize-space()="${name}"]`
}

/** The XPath of a field whose label starts with this text. The label may end with a marker. */
export function xpathOfField(label: string): string {
  return `//*[@id=//label[starts-with(normalize-space(), "${label}")]/@for]`
}

/** The XPath of the innermost element that contains this text. */
export function xpathOfText(words: string): string {
  return `//body//*[not(self::script)][contains(normalize-space(), "${words}")][not(*[contains(normalize-space(), "${words}")])]`
}
