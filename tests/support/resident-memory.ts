import { readFile } from 'node:fs/promises'

/** The resident memory of a process in bytes: its current size and its highest size so far. */
export type ResidentMemory = { readonly nowBytes: number; readonly peakBytes: number }

/** Reads the memory figures that Linux reports (proc_pid_status(5), VmRSS and VmHWM, in kB); NaN on other systems. */
export async function readResidentMemory(pid: number | undefined): Promise<ResidentMemory> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024
  return { nowBytes: read('VmRSS'), peakBytes: read('VmHWM') }
}
