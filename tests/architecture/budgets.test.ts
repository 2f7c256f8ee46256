import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { SENDER_TRUST_LEVELS } from '#core/messages/sender-level.ts'
import { BUDGETS } from '#core/shared/budgets.ts'

test('the page about budgets has the line of each budget', async () => {
  const manual = await readFile('docs/operations/budgets.md', 'utf8')
  const lines = Object.entries(BUDGETS).map(([name, { counts, per, max, windowSeconds, beyond }]) => {
    const window = windowSeconds === null ? 'at one moment' : `${windowSeconds / 60} min`
    return `| \`${name}\` | ${counts} | ${per} | ${max} | ${window} | ${beyond} |`
  })
  expect(manual.split('\n').filter((line) => lines.includes(line))).toEqual(lines)
})

test('the page about budgets has the line of each level of a sender', async () => {
  const manual = await readFile('docs/operations/budgets.md', 'utf8')
  const lines = Object.entries(SENDER_TRUST_LEVELS).map(
    ([name, { fromDays, email_owner, email_practice }]) => {
      const from =
        name === 'established' ? `${fromDays} days, or with a plan that was bought` : `${fromDays} days`
      return `| ${name} | ${from} | ${email_owner} | ${email_practice} |`
    },
  )
  expect(manual.split('\n').filter((line) => lines.includes(line))).toEqual(lines)
})
