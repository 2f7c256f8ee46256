import type { ComponentPropsWithoutRef } from 'react'
import { classNames } from '../class-names.ts'

type IconProps = Omit<ComponentPropsWithoutRef<'svg'>, 'children'>

/** Points along the line of reading, and turns round with it (theme.css). */
export const TURNING = 'icon-turning'

/**
 * A drawing in lines of the text's colour, 24 by 24. Screen readers skip it, because it only repeats the words beside
 * it.
 *
 * All were drawn by the Lucide contributors (lucide.dev, lucide-license.txt), and are written as one path each. Their
 * package for React has options that nobody here uses, which cost 1.1 kB (gzip) on every page.
 */
export function icon(path: string, ownClass?: string) {
  return function Icon({ className, ...svg }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width="24"
        height="24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={classNames(ownClass, className)}
        {...svg}
      >
        <path d={path} />
      </svg>
    )
  }
}
