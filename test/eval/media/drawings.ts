/** Pictures of things that the classifier has a label for, drawn, with what people would ask to find them. */
import { CLOCKS_AND_DESKS } from "./drawings-desk.ts";
import { TOOLS_AND_ROOMS } from "./drawings-house.ts";
import { BALLS_AND_FOOD } from "./drawings-nature.ts";
import { OUTDOORS } from "./drawings-outdoors.ts";

export interface Drawing {
  /** The name of the label that it is a picture of. */
  label: string;
  /** Names of labels that are as right. */
  also?: string[];
  /** What somebody would type who looks for it. */
  everyday: string;
  /** What says what it is for or like, and not what it is. */
  riddles: string[];
  /** PDF operators. */
  content(): string;
}

export const DRAWINGS: readonly Drawing[] = [...CLOCKS_AND_DESKS, ...TOOLS_AND_ROOMS, ...OUTDOORS, ...BALLS_AND_FOOD];
