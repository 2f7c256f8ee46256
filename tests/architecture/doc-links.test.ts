import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** `[text](target)` and `![text](target)`. */
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g
const SOURCE = /\.tsx?$/

test('each link of a page leads to a file, and each name that it shows is exported there', async () => {
  const pages: string[] = []
  for await (const page of glob(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: ROOT })) pages.push(page)
  expect(pages).toEqual(expect.arrayContaining(['README.md', join('docs', 'tour.md')]))
  const broken = await Promise.all(
    pages.map(async (page) => findBrokenLinks(page, await readFile(join(ROOT, page), 'utf8'))),
  )
  expect(broken.flat()).toEqual([])
})

test('a link to a file, a heading, a line or a name that is not there is found', async () => {
  const page = [
    '[tour](tour.md) [adapter](../src/server/integrations/smtp/adapter.ts#L1) [site](https://example.org)',
    '[`Mailer`](../src/server/ports/mailer.ts) [heading](tour.md#inside-the-transaction)',
    '[a](nowhere.md) [b](tour.md#nowhere) [c](../src/server/ports/mailer.ts#L100000)',
    '[`sendNothing`](../src/server/ports/mailer.ts)',
  ].join('\n')
  expect(await findBrokenLinks('docs/page.md', page)).toEqual([
    'docs/page.md: nowhere.md is not there',
    'docs/page.md: tour.md has no heading nowhere',
    'docs/page.md: ../src/server/ports/mailer.ts has no line 100000',
    'docs/page.md: ../src/server/ports/mailer.ts exports no sendNothing',
  ])
})

async function findBrokenLinks(page: string, text: string): Promise<string[]> {
  const broken: string[] = []
  for (const [, shown = '', target = ''] of text.matchAll(LINK)) {
    if (/^\w+:/.test(target)) continue
    const fault = await findFault({ page, shown, target })
    if (fault !== null) broken.push(`${page}: ${fault}`)
  }
  return broken
}

type Link = { readonly page: string; readonly shown: string; readonly target: string }

async function findFault({ page, shown, target }: Link): Promise<string | null> {
  const [path = '', fragment] = target.split('#')
  const file = join(ROOT, path === '' ? page : join(dirname(page), path))
  if (!existsSync(file)) return `${path} is not there`
  const name = /^`(\w+)`$/.exec(shown)?.[1]
  if (name === undefined && fragment === undefined) return null
  const text = await readFile(file, 'utf8')
  if (fragment !== undefined && !hasFragment(text, fragment)) {
    const line = /^L(\d+)$/.exec(fragment)?.[1]
    return line === undefined ? `${path} has no heading ${fragment}` : `${path} has no line ${line}`
  }
  if (name !== undefined && SOURCE.test(path) && !isExported(text, name)) return `${path} exports no ${name}`
  return null
}

function hasFragment(text: string, fragment: string): boolean {
  const line = /^L(\d+)$/.exec(fragment)?.[1]
  if (line !== undefined) return Number(line) <= text.split('\n').length
  return [...text.matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => toAnchor(heading) === fragment)
}

/** Converts a heading to its anchor, as GitHub does. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function isExported(text: string, name: string): boolean {
  return new RegExp(`^export (async )?(function|const|type|class) ${name}\\b`, 'm').test(text)
}
