import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** File contents by path. */
export type FileContents = Readonly<Record<string, string>>

/**
 * Runs `use` on a temporary folder with these files, then removes the folder.
 * @param links targets of symbolic links to things that are too big to copy, by path in the folder
 */
export async function withTemporaryFiles<Result>(
  tree: FileContents,
  use: (folder: string) => Promise<Result>,
  links: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'))
  try {
    for (const [path, text] of Object.entries(tree)) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path), 'junction')
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
