/** Version of the build. The sources, run without a build, have none. */
export const VERSION: string = typeof STRATA_VERSION === "undefined" ? "0.0.0-dev" : STRATA_VERSION;
