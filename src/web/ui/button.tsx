import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

type Looks = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined }

type ButtonProps = Looks &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** True while an action is running: the button keeps the focus, shows a spinner, and ignores clicks. */
    pending?: boolean | undefined
    pendingLabel?: string | undefined
    ref?: Ref<HTMLButtonElement> | undefined
  }

/** A button. Use `primary` at most once per screen. `type` defaults to `button`, not `submit`. */
export function Button({
  variant = 'secondary',
  size = 'md',
  pending = false,
  pendingLabel,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  // The button is not disabled while pending: it would lose the focus, and Enter in a field would submit the form a second time.
  const ignoreWhilePending = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type={type}
      className={buttonClass({ variant, size }, className)}
      aria-disabled={pending || undefined}
      onClick={ignoreWhilePending}
      {...rest}
    >
      {pending && <Spinner />}
      {pending && pendingLabel !== undefined ? pendingLabel : children}
    </button>
  )
}

type ButtonLinkProps = Looks &
  AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> | undefined }

/** A link that looks like a button. */
export function ButtonLink({
  variant = 'secondary',
  size = 'md',
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a className={buttonClass({ variant, size }, className)} {...rest}>
      {children}
    </a>
  )
}

/** The CSS classes of a button, for library components that render the element themselves. */
export function buttonClass({ variant = 'secondary', size = 'md' }: Looks, className?: string): string {
  return classNames(BASE, VARIANTS[variant], SIZES[size], className)
}

const BASE =
  'inline-flex max-w-full items-center justify-center gap-2 rounded-control border font-semibold transition-colors select-none disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-ink-faint aria-disabled:cursor-progress'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-noon-edge bg-noon text-on-noon hover:bg-noon-strong',
  secondary: 'border-line-strong bg-surface text-ink hover:border-ink hover:bg-sunken',
  ghost: 'border-transparent text-ink hover:bg-sunken',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
}

/** The CSS classes by size. Buttons are at least 44 px high on touch screens and in narrow windows (WCAG 2.5.5). */
const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 py-1 text-sm touch:min-h-11',
  md: 'min-h-11 px-4 py-2 text-base',
  lg: 'min-h-13 px-6 py-3 text-lg',
}
