import { ApiProblem, OFFLINE, toProblem } from './api-client.ts'

/** Fetches a file as a whole; it may take as long as the server sends. @throws ApiProblem */
export async function getFile(path: string): Promise<Blob> {
  try {
    const response = await fetch(path, { credentials: 'same-origin' })
    if (!response.ok) throw await toProblem(response)
    return await response.blob()
  } catch (error) {
    if (error instanceof ApiProblem) throw error
    throw new ApiProblem({ code: 'network', status: 0, title: OFFLINE })
  }
}
