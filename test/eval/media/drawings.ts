/** Pictures of things that the classifier has a label for, drawn, with what people would ask to find them. */
import { CLOCKS_AND_DESKS } from "./drawings-desk.ts";
import { TOOLS_AND_ROOMS } from "./drawings-house.ts";
import { BALLS_AND_FOOD } from "./drawings-nature.ts";
import { OUTDOORS } from "./drawings-outdoors.ts";
import type { Drawing } from "./pen.ts";

export const DRAWINGS: readonly Drawing[] = [...CLOCKS_AND_DESKS, ...TOOLS_AND_ROOMS, ...OUTDOORS, ...BALLS_AND_FOOD];
