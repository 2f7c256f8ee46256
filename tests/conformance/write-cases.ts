import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClockChangeCases } from './clock-change-cases.ts'
import { makeRuleCases, RULE_NAMES } from './rule-cases.ts'
import { CASES_FOLDER, type SlotCase } from './slot-case.ts'

/** `node tests/conformance/write-cases.ts`: writes the cases of the rules and of the clock changes, a line for each. */
await write('rules.json', { about: 'Each rule alone and each pair.', rules: RULE_NAMES }, makeRuleCases())
await write(
  'clock-changes.json',
  { about: 'Each clock change of 2027 and 2028.', tzdata: process.versions.tz },
  makeClockChangeCases(),
)

async function write(file: string, head: object, cases: readonly SlotCase[]): Promise<void> {
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
  )
  const lines = cases.map((one) => JSON.stringify(one)).join(',\n')
  await writeFile(join(CASES_FOLDER, file), `{\n${fields.join('\n')}\n"cases":[\n${lines}\n]}\n`)
}
