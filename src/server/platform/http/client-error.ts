import type { Duplex } from 'node:stream'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { toProblem } from './error-handler.ts'

/** Maps Node's connection errors to problem codes. Any other error means that the bytes were not HTTP. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_INVALID_METHOD: 'request.method_unknown',
  HPE_HEADER_OVERFLOW: 'request.too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.too_slow',
}

/** Responds to bytes that could not be parsed as a request, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  refuseConnection(socket, CODES[error.code ?? ''] ?? 'request.invalid', error)
}

/** Writes a raw problem response when there is no request object, then closes the connection. */
export function refuseConnection(socket: Duplex, code: ProblemCode, cause?: Error): void {
  const problem = toProblem(code)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} Refused`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(cause)
}
