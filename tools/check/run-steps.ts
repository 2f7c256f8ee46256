import type { TestCount } from './count-tests.ts'

/** The result of a step. */
export type StepResult = {
  readonly ok: boolean
  /** The output of a step that does not print it directly; shown when the step failed. */
  readonly output?: string
  /** The test counts of a step that runs tests. */
  readonly tests?: TestCount
}
export type Step = { readonly name: string; readonly run: () => Promise<StepResult> }

type Ended = StepResult & { readonly name: string }

/** Maximum number of steps that run in parallel. More are no faster on the two cores of a small machine. */
const SIDE_BY_SIDE = 2

/**
 * Runs the stages in order and the steps of a stage in parallel. Stops after the first stage with a failure. A failed step that
 * runs no tests counts as one failure, so that zero failures always mean success.
 */
export async function runSteps(
  stages: readonly (readonly Step[])[],
  print: (line: string) => void,
): Promise<TestCount> {
  const ended: Ended[] = []
  for (const stage of stages) {
    ended.push(...(await runStage(stage, print)))
    const failed = ended.filter(({ ok }) => !ok)
    if (failed.length === 0) continue
    print(`\nStopped: ${failed.map(({ name }) => name).join(', ')} failed.`)
    break
  }
  return ended.reduce(addUp, { passed: 0, failed: 0, leftOut: 0 })
}

async function runStage(steps: readonly Step[], print: (line: string) => void): Promise<Ended[]> {
  const waiting = [...steps]
  const ended: Ended[] = []
  async function work(): Promise<void> {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      ended.push(await runStep(step, print))
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return ended
}

async function runStep(step: Step, print: (line: string) => void): Promise<Ended> {
  const startedMs = performance.now()
  const result = await step
    .run()
    .catch((error: unknown): StepResult => ({ ok: false, output: String(error) }))
  const durationSeconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  if (!result.ok && result.output) print(`\n${result.output.trimEnd()}\n`)
  print(`${result.ok ? 'ok    ' : 'FAILED'}  ${durationSeconds.padStart(6)} s  ${step.name}`)
  return { ...result, name: step.name }
}

function addUp(sum: TestCount, { ok, tests }: Ended): TestCount {
  const failed = tests?.failed ?? 0
  return {
    passed: sum.passed + (tests?.passed ?? 0),
    failed: sum.failed + (ok ? failed : Math.max(failed, 1)),
    leftOut: sum.leftOut + (tests?.leftOut ?? 0),
  }
}
