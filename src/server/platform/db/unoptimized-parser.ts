import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** The bounds of the memory that PGlite asks for, in pages of 64 KiB; an instance with others cannot be made. */
const MEMORY_PAGES = { initial: 2_048, maximum: 32_768 }

/** V8's handle for compiled code; it has no members. */
type WasmModule = object

/** What is used here of the global `WebAssembly`, which Node's own types leave out. */
type WebAssemblyApi = {
  readonly compile: (bytes: Uint8Array) => Promise<WasmModule>
  readonly instantiate: (
    module: WasmModule,
    imports: Record<string, Record<string, object>>,
  ) => Promise<{ readonly exports: Record<string, unknown> }>
  readonly Module: { imports(module: WasmModule): { module: string; name: string; kind: string }[] }
  readonly Memory: new (pages: { initial: number; maximum: number }) => object
  readonly RuntimeError: new () => Error
}

// Every JavaScript engine that Node has ever had brings it along.
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi }

let compiled: Promise<WasmModule> | undefined

/**
 * Compiles the embedded database, once per process, in such a way that V8 never optimises its SQL parser. To optimise that
 * one function of 105 kB takes V8 600 MB of memory and a second of processor time. Source: decision 21.
 */
export function compilePGlite(): Promise<WasmModule> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<WasmModule> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const module = await WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')))
  compileUnoptimized(await findParser(module))
  return module
}

/** PostgreSQL's parser, which PGlite exports for PL/pgSQL, in an instance in which PostgreSQL never starts. */
export async function findParser(module: WasmModule): Promise<CallableFunction> {
  const { exports } = await WebAssembly.instantiate(module, standInImports(module))
  if (typeof exports.raw_parser !== 'function') throw new Error('PGlite exports no raw_parser any more')
  return exports.raw_parser
}

/**
 * V8 compiles a function when it is called first, and with it the counter that asks for the optimised code later. Whatever is
 * compiled while only function 0 may have that counter goes without. The code belongs to the module, so it is the same in
 * the instance that becomes the database.
 */
function compileUnoptimized(parse: CallableFunction): void {
  setFlagsFromString('--wasm-tier-up-filter=0')
  try {
    parse(0, 0)
  } catch (error) {
    // PostgreSQL was not started, so the parser gets no memory and stops before it calls much else.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
  } finally {
    // The default: any function.
    setFlagsFromString('--wasm-tier-up-filter=-1')
  }
}

/** Something of the right kind for each import. Nothing calls the functions. */
function standInImports(module: WasmModule): Record<string, Record<string, object>> {
  const imports: Record<string, Record<string, object>> = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {}
    imports[from][name] = kind === 'memory' ? new WebAssembly.Memory(MEMORY_PAGES) : () => 0
  }
  return imports
}
