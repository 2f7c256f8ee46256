import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Builder, By, error, until, type WebDriver, type WebElement } from 'selenium-webdriver'
import { findProgram } from '#tests/support/find-program.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { thisMachine } from '#tests/support/machine.ts'
import { type BrowserDriver, MAX_ELEMENT_WAIT_MS } from './browser-at-work.ts'

const DRIVER = {
  title: 'The driver of WebKitGTK',
  command: 'WebKitWebDriver',
  debianPackage: 'webkit2gtk-driver',
  elsewhere: 'https://webkitgtk.org/',
}
const BROWSER = {
  title: 'The MiniBrowser of WebKitGTK',
  command: 'MiniBrowser',
  folders: ['x86_64-linux-gnu', 'aarch64-linux-gnu'].flatMap((machine) =>
    ['4.1', '4.0'].map((version) => `/usr/lib/${machine}/webkit2gtk-${version}`),
  ),
  debianPackage: 'webkit2gtk-driver',
  elsewhere: DRIVER.elsewhere,
}
/** WebKitGTK cannot run without a screen. */
const SCREEN = {
  title: 'A screen that is only in memory (Xvfb)',
  command: 'Xvfb',
  debianPackage: 'xvfb',
  elsewhere: 'https://www.x.org/',
}

const [WIDTH, HEIGHT] = [1440, 900]

/** Starts WebKitGTK, the engine of GNOME Web, which is closely related to Safari's, and controls it through WebDriver. */
export async function startWebKit(): Promise<BrowserDriver> {
  const machine = thisMachine('WebKitGTK')
  const [driverPath, binary] = [findProgram(DRIVER, machine), findProgram(BROWSER, machine)]
  const screen = spawn(
    findProgram(SCREEN, machine),
    ['-displayfd', '1', '-screen', '0', `${WIDTH}x${HEIGHT}x24`],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const port = await findFreePort()
  const DISPLAY = `:${await readLine(screen)}`
  const driver = spawn(driverPath, ['--host=127.0.0.1', `--port=${port}`], {
    // Software rendering, because the machine may have no graphics card.
    env: { ...process.env, DISPLAY, LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
    stdio: 'ignore',
  })
  const programs = [driver, screen]
  const endWithProcess = () => {
    for (const program of programs) program.kill('SIGKILL')
  }
  process.on('exit', endWithProcess)
  await waitForDriver(port)
  const session = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build()
  // Makes the window as large as its screen.
  await session.manage().window().setRect({ x: 0, y: 0, width: WIDTH, height: HEIGHT })
  return {
    ...workWith(session, await nameOf(session)),
    close: async () => {
      await session.quit()
      for (const program of programs) await end(program)
      process.off('exit', endWithProcess)
    },
  }
}

function workWith(session: WebDriver, name: string): Omit<BrowserDriver, 'close'> {
  const find = async (xpath: string) => {
    const element = await session.wait(until.elementLocated(By.xpath(xpath)), MAX_ELEMENT_WAIT_MS, xpath)
    return session.wait(until.elementIsVisible(element), MAX_ELEMENT_WAIT_MS, xpath)
  }
  return {
    name,
    open: (url) => session.get(url),
    picture: async (path) => writeFile(path, await session.takeScreenshot(), 'base64'),
    address: () => session.getCurrentUrl(),
    press: async (xpath) => {
      const element = await find(xpath)
      // WebKitGTK's driver does not scroll sideways to the element that it clicks, such as a tab at the end of a long row.
      await session.executeScript(SCROLL_THERE, element)
      // Waits while a toast covers the element, as a person does.
      await session.wait(() => wasClicked(element), MAX_ELEMENT_WAIT_MS, xpath)
    },
    type: async (xpath, text) => {
      const field = await find(xpath)
      await field.clear()
      await field.sendKeys(text)
    },
    read: async (xpath) => (await (await find(xpath)).getAttribute('value')) ?? '',
    see: async (xpath) => {
      await find(xpath)
    },
  }
}

const SCROLL_THERE = `arguments[0].scrollIntoView({ block: 'center', inline: 'center' })`

/** Clicks an element. Returns false when another element covers it. */
async function wasClicked(element: WebElement): Promise<boolean> {
  try {
    await element.click()
    return true
  } catch (failure) {
    if (failure instanceof error.ElementClickInterceptedError) return false
    throw failure
  }
}

async function nameOf(session: WebDriver): Promise<string> {
  const capabilities = await session.getCapabilities()
  return `WebKitGTK/${capabilities.getBrowserVersion()}`
}

async function readLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('its output is not read')
  const [line] = await once(createInterface(stdout), 'line', {
    signal: AbortSignal.timeout(MAX_ELEMENT_WAIT_MS),
  })
  return String(line)
}

async function waitForDriver(port: number): Promise<void> {
  for (const endMs = Date.now() + MAX_ELEMENT_WAIT_MS; ; ) {
    const isReady = await fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > endMs) throw new Error('The driver of WebKitGTK did not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  await ended
}
