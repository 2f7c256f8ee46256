import { readFile } from 'node:fs/promises'

/** What a process takes of the machine's memory, in bytes: now, and the most that it ever took. */
export type ResidentMemory = { readonly nowBytes: number; readonly peakBytes: number }

/** As Linux tells it (proc_pid_status(5), VmRSS and VmHWM, in kB); NaN elsewhere. */
export async function readResidentMemory(pid: number | undefined): Promise<ResidentMemory> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024
  return { nowBytes: read('VmRSS'), peakBytes: read('VmHWM') }
}
