import { Zip, ZipDeflate } from 'fflate'

/** A file of an archive. Its text is made when it is needed, so that it is never in memory as a whole. */
export type ZipFile = { readonly name: string; readonly text: AsyncIterable<string> | Iterable<string> }

/** More effort gains little, and it would block the event loop. */
const COMPRESSION_LEVEL = 4

/** The bytes of a ZIP archive with these files, piece by piece as fast as they are read. */
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
