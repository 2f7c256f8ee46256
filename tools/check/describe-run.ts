import { cpus, platform, release, totalmem } from 'node:os'

/** Describes the date and the machine of a run, for its record. */
export function describeRun(): string {
  const [processor] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${memory}, ${platform()} ${release()}`
  return `${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${machine}`
}
