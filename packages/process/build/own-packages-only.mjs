// Our own packages are TypeScript and are bundled; everything from the registry stays outside.
/** @type {import('esbuild').Plugin} */
export const ownPackagesOnly = {
  name: 'own-packages-only',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@meridian/') ? null : { path, external: true },
    ),
}
