import { ApiProblem, OFFLINE, toProblem } from './api-client.ts'

/** Fetches a file that a command makes, as a whole; it may take as long as the server sends. @throws ApiProblem */
export async function getFile(path: string, command: object): Promise<Blob> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    })
    if (!response.ok) throw await toProblem(response)
    return await response.blob()
  } catch (error) {
    if (error instanceof ApiProblem) throw error
    throw new ApiProblem({ code: 'network', status: 0, title: OFFLINE })
  }
}
