import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system that can be filled to the last byte. */
export type SmallDisk = {
  readonly folder: string
  /** Fills the disk except for this many bytes. */
  readonly fill: (leaveBytes?: number) => void
  /** Frees the filled space again. */
  readonly free: () => void
  readonly remove: () => void
}

const PIECES_BYTES = [1_048_576, 65_536, 4_096, 1]

/** Mounts a file system in memory. Needs root. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'meridian', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  } catch (error) {
    throw new Error('A small disk cannot be mounted here. Run this proof as root.', { cause: error })
  }
  const filler = join(folder, 'filler')
  const remove = () => {
    // Lazy, because a process may still have a file open there; it ends with this process.
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  }
  process.on('exit', remove)
  return {
    folder,
    fill: (leaveBytes = 0) => fillFile(filler, leaveBytes),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      process.off('exit', remove)
      remove()
    },
  }
}

function fillFile(path: string, leaveBytes: number): void {
  const reserve = `${path}.reserve`
  writeFileSync(reserve, Buffer.alloc(leaveBytes))
  const file = openSync(path, 'a')
  for (const bytes of PIECES_BYTES) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
  rmSync(reserve)
}
