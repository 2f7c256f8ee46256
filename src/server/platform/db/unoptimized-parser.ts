import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** Memory limits that PGlite requires, in pages of 64 KiB; instances with other limits cannot be created. */
const MEMORY_PAGES = { initial: 2_048, maximum: 32_768 }

/** V8's handle for compiled code; it has no members. */
type WasmModule = object

/** The parts of the global `WebAssembly` that are used here; Node's own types omit it. */
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

// `WebAssembly` exists in every Node version; only its types are missing.
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi }

let compiled: Promise<WasmModule> | undefined

/**
 * Compiles the embedded database once per process, without V8's optimising compiler for the SQL parser. Optimising that
 * function of 105 kB takes 600 MB of memory and one second of CPU time. Source: decision 21.
 */
export function compilePGlite(): Promise<WasmModule> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<WasmModule> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const module = await WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')))
  compileUnoptimized(await findSqlParser(module))
  return module
}

/**
 * Returns PostgreSQL's parser, which PGlite exports for PL/pgSQL, from an instance in which PostgreSQL never starts.
 */
export async function findSqlParser(module: WasmModule): Promise<CallableFunction> {
  const { exports } = await WebAssembly.instantiate(module, standInImports(module))
  if (typeof exports.raw_parser !== 'function') throw new Error('PGlite exports no raw_parser any more')
  return exports.raw_parser
}

/**
 * Makes V8 compile the parser without the optimising compiler. V8 compiles a function on its first call, and then
 * decides whether to count its calls for later optimisation. While the filter allows only function 0 to be optimised,
 * no other function gets a counter. The compiled code belongs to the module, so the instance that becomes the database
 * shares it.
 */
function compileUnoptimized(parse: CallableFunction): void {
  setFlagsFromString('--wasm-tier-up-filter=0')
  try {
    parse(0, 0)
  } catch (error) {
    // This error is expected: PostgreSQL is not running, so the parser gets no memory and stops early.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
  } finally {
    // Restore the default: V8 may optimise any function.
    setFlagsFromString('--wasm-tier-up-filter=-1')
  }
}

/** Returns a placeholder of the right kind for each import. The placeholders are never called. */
function standInImports(module: WasmModule): Record<string, Record<string, object>> {
  const imports: Record<string, Record<string, object>> = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {}
    imports[from][name] = kind === 'memory' ? new WebAssembly.Memory(MEMORY_PAGES) : () => 0
  }
  return imports
}
