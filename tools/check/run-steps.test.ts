import { expect, test } from 'vitest'
import { runSteps, type Step, type StepResult } from './run-steps.ts'

test('all stages run in order and their tests are added up', async () => {
  const { count, started } = await run([
    [step('lint'), step('types')],
    [step('units', { ok: true, tests: { passed: 40, failed: 0, leftOut: 3 } })],
    [step('journeys', { ok: true, tests: { passed: 2, failed: 0, leftOut: 1 } })],
  ])
  expect(count).toEqual({ passed: 42, failed: 0, leftOut: 4 })
  expect(started).toEqual(['lint', 'types', 'units', 'journeys'])
})

test('the first failure ends it, by name and with its output', async () => {
  const { count, started, printed } = await run([
    [step('lint'), step('types', { ok: false, output: 'TS2304 in a.ts' })],
    [step('units', { ok: true, tests: { passed: 40, failed: 0, leftOut: 0 } })],
  ])
  expect(count).toEqual({ passed: 0, failed: 1, leftOut: 0 })
  expect(started).toEqual(['lint', 'types'])
  expect(printed).toContain('TS2304 in a.ts')
  expect(printed).toContain('Stopped: types failed.')
})

test('failed tests are counted once each', async () => {
  const { count } = await run([[step('units', { ok: false, tests: { passed: 37, failed: 3, leftOut: 0 } })]])
  expect(count).toEqual({ passed: 37, failed: 3, leftOut: 0 })
})

test('a run that fails without a failed test counts as one', async () => {
  const { count } = await run([[step('units', { ok: false, tests: { passed: 40, failed: 0, leftOut: 0 } })]])
  expect(count).toEqual({ passed: 40, failed: 1, leftOut: 0 })
})

test('a step that throws has failed, and says why', async () => {
  const broken: Step = { name: 'web build', run: () => Promise.reject(new Error('no such module')) }
  const { count, printed } = await run([[broken]])
  expect(count).toEqual({ passed: 0, failed: 1, leftOut: 0 })
  expect(printed).toContain('no such module')
})

test('two steps of a stage run side by side, and no more', async () => {
  let running = 0
  let most = 0
  const slow: Step = {
    name: 'slow',
    run: async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return { ok: true }
    },
  }
  await runSteps([[slow, slow, slow, slow, slow]], () => {})
  expect(most).toBe(2)
})

function step(name: string, result: StepResult = { ok: true }): Step {
  return { name, run: async () => result }
}

async function run(stages: readonly (readonly Step[])[]) {
  const started: string[] = []
  const lines: string[] = []
  const watched = stages.map((stage) =>
    stage.map(({ name, run }) => ({
      name,
      run: () => {
        started.push(name)
        return run()
      },
    })),
  )
  const count = await runSteps(watched, (line) => lines.push(line))
  return { count, started, printed: lines.join('\n') }
}
