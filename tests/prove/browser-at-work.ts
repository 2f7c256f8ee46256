/** A browser that is worked with as a person does. What is on the page is named by an XPath, which both drivers know. */
export type BrowserAtWork = {
  /** Its name and version, as it says them. */
  readonly name: string
  readonly open: (url: string) => Promise<void>
  /** The address of the page that is open. */
  readonly address: () => Promise<string>
  /** Presses the first element that it can see there; waits for it. */
  readonly press: (xpath: string) => Promise<void>
  /** Puts a text into a field in place of what is in it, key by key. */
  readonly type: (xpath: string, text: string) => Promise<void>
  /** What is in a field. */
  readonly read: (xpath: string) => Promise<string>
  /** Waits until there is such an element that can be seen. */
  readonly see: (xpath: string) => Promise<void>
  /** Writes what it shows to a PNG file. */
  readonly picture: (path: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The same browser, whose failures say what it was to do. */
export function sayingSteps(browser: BrowserAtWork): BrowserAtWork {
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

/** How long something may take to be on the page, on a machine that is busy with other things. */
export const PATIENCE_MS = 60_000

/** A button, a link or a tab by what it says. */
export function pressable(name: string): string {
  return `//*[self::button or self::a][normalize-space()="${name}"]`
}

/** A field by the beginning of its label, which can end with a mark. */
export function field(label: string): string {
  return `//*[@id=//label[starts-with(normalize-space(), "${label}")]/@for]`
}

/** The innermost element with a text. */
export function text(words: string): string {
  return `//body//*[not(self::script)][contains(normalize-space(), "${words}")][not(*[contains(normalize-space(), "${words}")])]`
}
