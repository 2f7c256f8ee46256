import { Notice } from '#web/ui/notice.tsx'

/** Why a form was not sent, when the reason concerns no single field. */
export function FormProblem({
  message,
  className,
}: {
  message: string | undefined
  className?: string | undefined
}) {
  if (message === undefined) return null
  return (
    <Notice tone="danger" role="alert" className={className}>
      {message}
    </Notice>
  )
}
