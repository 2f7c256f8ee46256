import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(js|css|svg)$/
/** Minimum size of a file to compress, in bytes. Smaller files fit into one packet anyway. */
const MIN_SIZE = 1_000

/**
 * Writes a `.br` and a `.gz` file next to every asset that becomes smaller. The server sends the one that the browser accepts, so
 * no request has to wait for compression.
 */
export async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const content = await readFile(path)
      if (content.length < MIN_SIZE) return
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotli))
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}
