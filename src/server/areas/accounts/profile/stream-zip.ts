import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive. Its text is produced on demand, so that the whole text is never in memory. */
export type ZipFile = { readonly name: string; readonly text: AsyncIterable<string> | Iterable<string> }

/** Level of compression. A higher level gains little and would block the event loop. */
const COMPRESSION_LEVEL = 4

/** Streams a ZIP archive of these files. */
export async function* zip(files: Iterable<ZipFile>, modifiedAt: Date): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const archive = new Zip((error, piece) => {
    if (error !== null) throw error
    pieces.push(piece)
  })
  const encoder = new TextEncoder()
  for (const { name, text } of files) {
    const file = new ZipDeflate(name, { level: COMPRESSION_LEVEL })
    file.mtime = modifiedAt
    archive.add(file)
    for await (const part of text) {
      file.push(encoder.encode(part))
      yield* pieces.splice(0)
    }
    file.push(new Uint8Array(), true)
  }
  archive.end()
  yield* pieces
}
