/** The limits of files and of reading them: part of limits.ts, where everybody imports them from. */

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** Files. */
export const FILE_MAX_BYTES = 512 * MIB;
/** A name relative to the folder that was taken in, and its last part, which is as long as file systems allow. */
export const FILE_NAME_MAX_CHARS = 1_024;
export const FILE_NAME_PART_MAX_CHARS = 255;
/** Multipart fields beside the file: groups, metadata, a doc_id. */
export const FILE_FIELDS_MAX_BYTES = 64 * KIB;
export const FILE_FIELDS_MAX = 16;
/** Files that one `strata ingest` has under way: four cores read some fifty small ones a second, and each waits FILE_SEARCHABLE_MS for the indexes. */
export const FILES_IN_FLIGHT_MAX = 128;
/** Fewer when they are larger: an upload by somebody else waits behind them. */
export const FILES_IN_FLIGHT_MAX_BYTES = 8 * MIB;
/** Of them so many are sent at a time: each takes a place from other uploads. */
export const FILES_SENT_AT_ONCE_MAX = 4;
/** How often a client asks how far one of its jobs is: */
export const JOB_POLL_MS = 200;
/** one of the first so many, as are worked on at once. */
export const JOBS_ASKED_MAX = 4;
/** Files of one namespace that wait to be worked on; beyond it an upload answers 503. */
export const JOBS_WAITING_MAX = 10_000;
/** Files that one call queues to be read again: few, so that an upload between two calls does not wait behind all of them. */
export const REREAD_FILES_MAX = 32;
/** Units of a file that are stored together. More would hold other writers up, fewer would commit for every page. */
export const FILE_BATCH_UNITS = 64;
export const FILE_BATCH_MS = SECOND_MS;
/**
 * Units of read files that wait to be encoded before the next file of their namespace is begun: a third of a second on two
 * cores, in which the next file can be read. More would hold up what is sent to its encoder meanwhile.
 */
export const FILES_READ_AHEAD_UNITS = 64;
/**
 * The Units of a file are written to the indexes so long after they are stored, with those of other files: each write costs the
 * indexes their upkeep, however few Units it has. The last file of several does not wait.
 */
export const FILE_SEARCHABLE_MS = 2 * SECOND_MS;
/** A part of a file that loses its process this often is what brings it down. Each time it has twice the time of the time before. */
export const JOB_LOSSES_MAX = 3;
/** The pause before a job that the machine held up is taken up again: twice as long each time. */
export const JOB_PAUSE_MS = 2 * SECOND_MS;
export const JOB_PAUSE_MAX_MS = 60 * SECOND_MS;
/** A job whose worker has stored nothing for this long may be taken by another one. */
export const JOB_LEASE_MS = 600 * SECOND_MS;
/** A file keeps its place for this long while a namespace with fewer places waits: going on elsewhere takes a process and its models a second or two. */
export const JOB_TURN_MS = 5 * SECOND_MS;
/** Notes of a job: the first ones tell enough. */
export const JOB_NOTES_MAX = 100;
/** Each may take some hundred MiB; on a large machine embedding needs the other cores. */
export const MEDIA_PROCESSES_MAX = 4;
/** A process that works on one file is stopped beyond this: nearly all files of any kind stay below half of it, */
export const MEDIA_PROCESS_FIRST_BYTES = 1024 * MIB;
/** and one that does not is read again with this much: a legal file of any kind stays well below. */
export const MEDIA_PROCESS_MAX_BYTES = 2 * 1024 * MIB;
/** The memory without which a kind of file cannot be read: its models, and a file of common size. */
export const MEDIA_MIN_BYTES = { log: 128 * MIB, document: 256 * MIB, picture: 512 * MIB, sound: 512 * MIB, video: 1024 * MIB };
/** The smallest budget that can be set. */
export const MEMORY_MIN_BYTES = 128 * MIB;
export const MEDIA_MEMORY_POLL_MS = 100;
/** A part of a file that takes longer is taken for endless: 60 s of speech or a dense page take seconds, on a busy machine a minute. */
export const MEDIA_PART_MAX_MS = 300 * SECOND_MS;
/** A process of media work ends when it has had nothing to do for this long. */
export const MEDIA_IDLE_MS = 30 * SECOND_MS;
/** The niceness of media work: below queries (0) and embedding (10). */
export const MEDIA_NICE = 15;
/** A preview waits this long for memory that files have. */
export const PREVIEW_MEMORY_WAIT_MS = 20 * SECOND_MS;
/** Previews and similarity: somebody waits. */
export const PREVIEW_NICE = 5;
/** A look takes a second; what takes this long keeps everybody else waiting. */
export const PREVIEW_MAX_MS = 60 * SECOND_MS;
export const PREVIEW_WAITING_MAX = 64;
export const PREVIEW_SIDE_PIXELS = 512;
export const PICTURE_MAX_PIXELS = 40_000_000;
/** A side may be long and thin; a decoder must not be asked for more. */
export const PICTURE_MAX_SIDE_PIXELS = 32_000;
export const DOCUMENT_MAX_PAGES = 2_000;
export const SOUND_MAX_MS = 4 * HOUR_MS;
export const VIDEO_MAX_MS = 4 * HOUR_MS;

/** Pictures. */
/** The largest legal picture with three channels of 16 bits is 240 MB. The decoder holds a second copy of the file. */
export const PICTURE_FILE_MAX_BYTES = 256 * MIB;
/** Pages of one TIFF: a scanner's stack. Each is read like a picture of its own. */
export const PICTURE_MAX_PAGES = 200;
/** Pixels that the decoder may hold at once: two of the largest picture at five bytes each (CMYK and alpha), to turn it upright. */
export const PICTURE_DECODER_MAX_BYTES = 2 * 5 * PICTURE_MAX_PIXELS;
/** Rows are copied out of the decoder in strips of about this size, so that it never holds the whole picture twice. */
export const PICTURE_STRIP_BYTES = 4 * MIB;
/** Longest side of a thumbnail. */
export const PREVIEW_MAX_SIDE_PIXELS = 2_048;
/** Text lines of one picture: beyond it the best-scored are read. 400 lines take about 40 s. */
export const OCR_MAX_LINES = 400;
/** Characters of a block of lines: a page of text has 3,000. */
export const OCR_BLOCK_MAX_CHARS = 8_192;
/** Regions that the layout model finds on one page: pages have a dozen, and each is compared with each. */
export const LAYOUT_REGIONS_MAX = 100;
/** Labels of a picture or a sound in its metadata. */
export const LABELS_SHOWN_MAX = 5;
/** Labels of a picture that are kept to be searched. */
export const CONTENT_LABELS_MAX = 10;

/** Documents and logs. */
/** A kind of file is told by this much of its beginning: a DOCX names its main part here or at its end. */
export const SNIFF_HEAD_BYTES = 64 * KIB;
/** The directory of a ZIP is at its end, after a comment of at most 64 KiB: this finds it in all that a program writes. */
export const SNIFF_TAIL_BYTES = 66 * KIB;
/** What a text's encoding is told by: letters of a language show their frequencies in less. */
export const ENCODING_SAMPLE_BYTES = 64 * KIB;
/** One record of a CSV or JSON Lines file: what is longer is cut. */
export const RECORD_MAX_CHARS = 256 * KIB;
/** Lines of one record of a CSV file: an open quote beyond them is a sign like any other. */
export const RECORD_MAX_LINES = 200;
/** Levels of an object in a line of JSON Lines whose members are columns of their own. */
export const JSON_COLUMNS_MAX_DEPTH = 5;
/** A chunk is closed at the next paragraph from this length on: some 200 words, what one embedding window holds. */
export const CHUNK_TARGET_CHARS = 800;
export const CHUNK_MAX_CHARS = 1_200;
/** A heading opens a new chunk once the one before it has this much: shorter sections share one. */
export const CHUNK_SECTION_MIN_CHARS = 400;
/** A chunk is closed at the next block from this length on. */
export const CHUNK_TARGET_WORDS = 120;
/** Blocks between which more than this lies are not of one chunk: a file may have a million blank lines. */
export const CHUNK_GAP_MAX_CHARS = 200;
/** A list takes the paragraph that opens it along into the next chunk when at least this much stays behind. */
export const CHUNK_LEAD_MIN_WORDS = 40;
/** Lists within lists are indented up to this depth. */
export const LIST_MAX_DEPTH = 8;
/** Columns of a table, and rows: a table that people read has fewer; what is beyond is named in the job's notes. */
export const TABLE_MAX_COLUMNS = 256;
export const TABLE_MAX_ROWS = 100_000;
/** Chunks that one step of the work on a text hands over. */
export const DOCUMENT_PART_UNITS = 64;
/** A longer run of text without a block's end goes on in the next block. */
export const BLOCK_MAX_CHARS = 16 * KIB;
/** Titles and headings in metadata; what is longer is no heading but a paragraph in its clothes. */
export const HEADING_MAX_CHARS = 200;
/** Elements within each other: browsers stop at 512, but a page that forgets to close some has more. A tag costs the parser one step a level. */
export const MARKUP_MAX_DEPTH = 10_000;
/** A tag with its attributes, or a comment: the parser holds it whole. A page with its pictures inside has some MiB. */
export const MARKUP_TOKEN_MAX_BYTES = 32 * MIB;
/** Entries of a ZIP: a DOCX of 2,000 pages with a picture on each has fewer. */
export const ARCHIVE_MAX_ENTRIES = 10_000;
export const ARCHIVE_DIRECTORY_MAX_BYTES = 4 * MIB;
/** One entry, inflated: the text of 2,000 pages of WordprocessingML is about 60 MiB. */
export const ARCHIVE_ENTRY_MAX_BYTES = 128 * MIB;
/** Everything that is inflated of one archive. */
export const ARCHIVE_MAX_BYTES = 192 * MIB;
/** Deflate makes at most 1,032 bytes of one: a piece of this size never fills more than 17 MiB before it is counted. */
export const INFLATE_PIECE_BYTES = 16 * KIB;
/** PDFium's memory, the file included: beyond the file of 512 MiB, what the largest page may decode to. */
export const PDF_HEAP_MAX_BYTES = 896 * MIB;
/** A page of A4 at 150 dpi: what OCR reads a line of 8 points from. */
export const PAGE_RENDER_SIDE_PIXELS = 1_754;
/** Characters of one page's text layer: a page of tiny print has 20,000. */
export const PAGE_TEXT_MAX_CHARS = 256 * KIB;
/** Objects of one page that are looked at to tell whether it may hold a figure: a map has a million. */
export const PAGE_OBJECTS_MAX = 5_000;
/** Lines of a PDF that the styles of its headings are told by. */
export const PDF_SURVEY_MAX_LINES = 200_000;
/** Bookmarks of a PDF, and how deep they lie in each other: the longest manuals have some thousands, and those of a damaged file may lead in circles. */
export const PDF_BOOKMARKS_MAX = 20_000;
export const PDF_BOOKMARKS_MAX_DEPTH = 16;
/** Forms within forms on a page that are looked into. */
export const PAGE_FORMS_MAX_DEPTH = 4;
/** Figures and tables of one page. */
export const PDF_PAGE_REGIONS_MAX = 32;
/** A longer line of a log is cut: the rest is data, not message. */
export const LOG_LINE_MAX_CHARS = 8_192;
/** How much of a log is kept as it is beside its templates, to be found by its ids and values: some 8,000 chunks. */
export const LOG_KEPT_MAX_CHARS = 8 * MIB;
/** Words of a line that tell its template; the rest of a longer line is one variable. */
export const LOG_LINE_MAX_WORDS = 200;
/** Lines that one entry may have (a stack trace); the next line then opens a new one. */
export const LOG_ENTRY_MAX_LINES = 10_000;
/** Templates of one log: programs have some hundred; beyond it lines join the nearest template. */
export const LOG_TEMPLATES_MAX = 4_000;
/** Of a template's text: thousands of long ones would keep the encoder busy for half an hour. */
export const LOG_TEMPLATE_MAX_CHARS = 1_000;
/** Children of a node of the parse tree, as in Drain (He et al., ICWS 2017). */
export const LOG_TREE_MAX_CHILDREN = 100;
/** Templates of one leaf, each of which a line is compared with: lines of a log that share their length and first word have some dozens. */
export const LOG_LEAF_MAX_TEMPLATES = 256;
/** Masked lines whose template is remembered. */
export const LOG_LINE_CACHE_MAX = 4_096;
/** Masked messages of one template that are counted apart, to find the states that it tells of. */
export const LOG_VARIANTS_MAX = 32;
/** States of one template ("accepted", "declined") that become Units of their own. */
export const LOG_STATES_MAX = 4;
/** A sign of life, and a place in the progress, at least this often in a long log. */
export const LOG_PART_BYTES = 16 * MIB;
/** The example of a template in metadata. */
export const LOG_EXAMPLE_MAX_CHARS = 500;

/** Sound. */
/** Slower is no sound, and would stretch a small file without end. */
export const SOUND_MIN_RATE_HZ = 1_000;
/** Twice what studios use. */
export const SOUND_MAX_RATE_HZ = 768_000;
/** Channels of a WAV file: large microphone arrays have as many. */
export const SOUND_MAX_CHANNELS = 32;
/** The layouts that Vorbis and Opus name have at most 8; each costs memory for a whole page at once. */
export const OGG_MAX_CHANNELS = 8;
/** Streams of one Ogg chain: one a song in four hours of radio, and each takes a decoder of its own. */
export const OGG_LINKS_MAX = 256;
/** One Ogg packet over several pages: the largest in use is a page of comments with a picture. */
export const OGG_PACKET_MAX_BYTES = 8 * MIB;
/** Frames or packets that may be damaged; beyond it a file is no sound. */
export const SOUND_ERRORS_MAX = 100;
/** Of the sound that a header promises this share must be there. */
export const SOUND_MIN_SHARE = 0.5;
/** Patches that the sound model takes at once: the rate of the card was measured with these. */
export const YAMNET_BATCH_PATCHES = 16;
/** A label with a lower mean score is noise: it is not kept to be searched. */
export const SOUND_LABEL_FLOOR = 0.002;
/** Mean probability of a segment's words: what is made up for a bell has 0.03, of real speech 99 in 100 have 0.26 or more. */
export const SPEECH_CONFIDENCE_MIN = 0.1;
/** A waveform shows at most this much: more is a block of ink. */
export const SOUND_PREVIEW_MAX_MS = 600 * SECOND_MS;

/** PDFium's memory never shrinks: beyond this it is let go of after the document, and the next one starts it again in 10 ms. */
export const PDF_HEAP_KEEP_BYTES = 96 * MIB;
/** PDFium keeps what it has read of a document: it is opened anew after its memory grew by this much. */
export const PDF_HEAP_GROWTH_MAX_BYTES = 64 * MIB;
/** Drawn pages that wait for the garbage collector: eight. */
export const PICTURES_UNCOLLECTED_MAX_BYTES = 64 * MIB;

/** Video. */
/** A frame of the largest legal picture and the dozen before it that it is built on. */
export const FFMPEG_MAX_BYTES = 1_536 * MIB;
/** One allocation of ffmpeg's: such a frame with 16 bits a colour. */
export const FFMPEG_ALLOCATION_MAX_BYTES = 320 * MIB;
/** How often its memory is looked at. */
export const FFMPEG_CHECK_MS = 100;
/** The longest wait for its next output: a key frame of a long shot in 4K takes seconds. */
export const FFMPEG_STALL_MS = 60 * SECOND_MS;
/** All waits of one run: four hours of full HD on one slow core. */
export const FFMPEG_WAIT_MAX_MS = 3 * HOUR_MS;
/** What is kept of what it says. */
export const FFMPEG_MESSAGES_MAX_BYTES = 256 * KIB;
/** Pictures looked at each second to find where a shot ends: a cut is placed to an eighth of a second. */
export const SHOT_FRAMES_PER_SECOND = 4;
/** A shorter shot says little that the ones beside it do not. */
export const SHOT_MIN_MS = 1 * SECOND_MS;
/** A video is worked on in blocks of this length, where shots end too: a camera that never cuts is looked at this often. */
export const VIDEO_BLOCK_MS = 30 * SECOND_MS;
/** Longer side of a key frame: text of one thirtieth of its height can still be read. */
export const KEY_FRAME_MAX_SIDE_PIXELS = 1_280;

/** Hostile files. */
/** A process that holds more than this behind a file gets no other one: the next has at least as much for itself. */
export const MEDIA_PROCESS_KEEP_BYTES = MEDIA_PROCESS_FIRST_BYTES / 2;
/** Markup is parsed in pieces of this size, so that what it comes to is counted while it is read. */
export const MARKUP_PIECE_CHARS = 256 * KIB;
/** Ends of elements times the elements they are looked for among: a page of 512 MiB with 20 levels takes 1,000 million, which take some 20 s. */
export const MARKUP_MAX_STEPS = 2_000_000_000;

/** Resizing. */
/** Rows of a picture that are looked at at once: they stay in a core's own cache. */
export const RESIZE_STRIP_BYTES = 256 * KIB;
