import { describe, expect, test } from 'vitest'
import { findBrowser, type Machine } from './find-browser.ts'

const WHOLE_PACKAGE = { 'apt-get install --yes --no-install-recommends chromium': '/usr/bin/chromium' }

describe('what is there already', () => {
  test('CHROME_PATH comes before everything else', () => {
    const machine = makeMachine({
      env: { CHROME_PATH: '/opt/chrome', PATH: '/usr/bin' },
      files: ['/opt/chrome', '/playwright/chrome', '/usr/bin/chromium'],
    })
    expect(findBrowser('whole', machine)).toBe('/opt/chrome')
  })

  test('a CHROME_PATH without a file is an error, not a reason to take another browser', () => {
    const machine = makeMachine({ env: { CHROME_PATH: '/opt/gone' }, files: ['/playwright/chrome'] })
    expect(() => findBrowser('whole', machine)).toThrow('CHROME_PATH is /opt/gone, but there is no such file')
    expect(machine.commands).toEqual([])
  })

  test("Playwright's own comes before the system's", () => {
    expect(findBrowser('whole', makeMachine({ files: ['/playwright/chrome', '/usr/bin/chromium'] }))).toBe(
      '/playwright/chrome',
    )
  })

  test.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])(
    "the system's %s is found on the PATH",
    (name) => {
      const machine = makeMachine({ env: { PATH: '/bin:/usr/local/bin' }, files: [`/usr/local/bin/${name}`] })
      expect(findBrowser('whole', machine)).toBe(`/usr/local/bin/${name}`)
    },
  )

  test("the system's shell comes first where one is wanted, and never where the whole browser is", () => {
    const files = ['/usr/bin/chromium-headless-shell', '/playwright/chrome', '/usr/bin/chromium']
    expect(findBrowser('shell', makeMachine({ files }))).toBe('/usr/bin/chromium-headless-shell')
    expect(findBrowser('whole', makeMachine({ files }))).toBe('/playwright/chrome')
    expect(
      findBrowser(
        'whole',
        makeMachine({ files: ['/usr/bin/apt-get', ...files.slice(0, 1)], installs: WHOLE_PACKAGE }),
      ),
    ).toBe('/usr/bin/chromium')
  })

  test('the whole browser does where a shell is wanted and cannot be had', () => {
    const files = ['/usr/bin/chromium']
    const withoutApt = makeMachine({ files })
    expect(findBrowser('shell', withoutApt)).toBe('/usr/bin/chromium')
    expect(withoutApt.commands).toEqual([])
    const withApt = makeMachine({ files: ['/usr/bin/apt-get', ...files] })
    expect(findBrowser('shell', withApt)).toBe('/usr/bin/chromium')
    expect(withApt.commands).toHaveLength(2)
  })

  test("nothing is installed where Playwright's own is", () => {
    const machine = makeMachine({ files: ['/usr/bin/apt-get', '/playwright/chrome'] })
    expect(findBrowser('shell', machine)).toBe('/playwright/chrome')
    expect(machine.commands).toEqual([])
  })

  test('a Mac has it among its applications', () => {
    const path = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    expect(findBrowser('whole', makeMachine({ platform: 'darwin', uid: 501, files: [path] }))).toBe(path)
  })

  test('Windows has it among its programs', () => {
    const path = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
    const env = { PROGRAMFILES: 'C:\\Program Files' }
    expect(findBrowser('whole', makeMachine({ platform: 'win32', uid: null, env, files: [path] }))).toBe(path)
  })
})

describe('what has to be installed', () => {
  test('root on Debian gets the chromium package after an update', () => {
    const machine = makeMachine({
      files: ['/usr/bin/apt-get'],
      installs: WHOLE_PACKAGE,
    })
    expect(findBrowser('whole', machine)).toBe('/usr/bin/chromium')
    expect(machine.commands).toEqual([
      'apt-get update',
      'apt-get install --yes --no-install-recommends chromium',
    ])
  })

  test('root on Debian gets the package of the shell where one is wanted, also beside the whole browser', () => {
    const machine = makeMachine({
      files: ['/usr/bin/apt-get', '/usr/bin/chromium'],
      installs: {
        'apt-get install --yes --no-install-recommends chromium-headless-shell':
          '/usr/bin/chromium-headless-shell',
      },
    })
    expect(findBrowser('shell', machine)).toBe('/usr/bin/chromium-headless-shell')
    expect(machine.commands).toHaveLength(2)
  })

  test('root on a Debian without that package gets the whole browser', () => {
    const machine = makeMachine({ files: ['/usr/bin/apt-get'], installs: WHOLE_PACKAGE })
    expect(findBrowser('shell', machine)).toBe('/usr/bin/chromium')
  })

  test("root on Debian gets Playwright's when the package cannot be had", () => {
    const machine = makeMachine({
      files: ['/usr/bin/apt-get'],
      installs: { 'npx playwright install chromium': '/playwright/chrome' },
    })
    expect(findBrowser('whole', machine)).toBe('/playwright/chrome')
  })

  test.each([
    { who: 'an ordinary user on Debian', platform: 'linux', uid: 1000, files: ['/usr/bin/apt-get'] },
    { who: 'root without apt-get', platform: 'linux', uid: 0, files: [] },
    { who: 'a Mac', platform: 'darwin', uid: 501, files: [] },
    { who: 'Windows', platform: 'win32', uid: null, files: [] },
  ] as const)("$who gets Playwright's", ({ platform, uid, files }) => {
    const machine = makeMachine({
      platform,
      uid,
      files,
      installs: { 'npx playwright install chromium': '/playwright/chrome' },
    })
    expect(findBrowser('whole', machine)).toBe('/playwright/chrome')
    expect(machine.commands).toEqual(['npx playwright install chromium'])
  })

  test.each([
    { who: 'root on Debian', uid: 0, command: 'apt-get update && apt-get install --yes chromium' },
    { who: 'another user', uid: 1000, command: 'npx playwright install --with-deps chromium' },
  ])('when nothing helps, $who is told what to run', ({ uid, command }) => {
    const machine = makeMachine({ uid, files: ['/usr/bin/apt-get'] })
    expect(() => findBrowser('whole', machine)).toThrow(`Run: ${command}\n`)
  })
})

type Setup = {
  readonly platform?: NodeJS.Platform
  readonly uid?: number | null
  readonly env?: Machine['env']
  readonly files?: readonly string[]
  /** Maps each command that succeeds to the file that it creates. Every other command fails. */
  readonly installs?: Readonly<Record<string, string>>
}

function makeMachine(setup: Setup): Machine & { readonly commands: readonly string[] } {
  const files = new Set(setup.files)
  const commands: string[] = []
  return {
    platform: setup.platform ?? 'linux',
    uid: setup.uid === undefined ? 0 : setup.uid,
    env: setup.env ?? { PATH: '/usr/bin' },
    playwrightPath: '/playwright/chrome',
    exists: (path) => files.has(path),
    run: (command, args) => {
      const line = [command, ...args].join(' ')
      commands.push(line)
      const installed = setup.installs?.[line]
      if (installed !== undefined) files.add(installed)
      return installed !== undefined
    },
    commands,
  }
}
