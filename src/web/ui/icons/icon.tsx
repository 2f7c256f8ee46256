import type { ComponentPropsWithoutRef } from 'react'
import { classNames } from '../class-names.ts'

type IconProps = Omit<ComponentPropsWithoutRef<'svg'>, 'children'>

/** The CSS class that mirrors an icon in right-to-left text (theme.css). */
export const MIRRORED_IN_RTL = 'icon-turning'

/**
 * Makes an icon component from an SVG path (24 by 24, in the text's colour). Icons are hidden from screen readers, because they
 * only repeat the text next to them.
 *
 * The icons are from Lucide (lucide.dev, lucide-license.txt), each merged into one path. Lucide's React package would cost 1.1 kB
 * (gzip) on every page.
 */
export function createIcon(path: string, ownClass?: string) {
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
