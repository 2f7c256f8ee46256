import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'

/** Requests each path from Meridian, and stores the responses in `file` for `readStoredResponses`. */
export async function storeResponses(port: number, paths: readonly string[], file: string): Promise<void> {
  const answers: [path: string, answer: unknown][] = []
  for (const path of paths) answers.push([path, JSON.parse(await fetchText(port, path))])
  await writeFile(file, JSON.stringify(answers))
}

/** Reads Meridian's stored responses, by path. */
export async function readStoredResponses(
  file = process.env.ANSWERS ?? '',
): Promise<ReadonlyMap<string, unknown>> {
  return new Map(JSON.parse(await readFile(file, 'utf8'))) // written by storeResponses
}

/** @throws AssertionError when the two servers' responses to a path differ */
export async function compareResponses(
  ports: readonly [one: number, other: number],
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    assert.equal(await fetchText(ports[0], path), await fetchText(ports[1], path), path)
  }
}

async function fetchText(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return text
}
