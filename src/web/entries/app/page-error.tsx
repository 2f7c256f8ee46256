import { useRouter } from '@tanstack/react-router'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** The error page of the router: the session could not be loaded, or there is a bug. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter()
  const sentence = error instanceof ApiProblem ? error.message : PROBLEMS['server.unexpected'].title
  return (
    <main className="flex flex-1 flex-col justify-center">
      <ErrorState title={sentence} onRetry={() => router.invalidate()} />
    </main>
  )
}
