import type { Schema } from "./database.ts";

/** `catalog.db`, one per namespace. Versions only grow; a migration that has shipped is never edited. */
export const CATALOG_SCHEMA: Omit<Schema, "name"> = {
  migrations: [
    `
CREATE TABLE scope (
  scope TEXT PRIMARY KEY,
  planes TEXT NOT NULL,
  read_only_agents INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Everything about a Unit that decides who may read it, once per combination.
CREATE TABLE access_class (
  class_id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  owner TEXT NOT NULL,
  groups TEXT NOT NULL,
  UNIQUE (scope, owner, groups)
) STRICT;

CREATE TABLE unit (
  uid INTEGER PRIMARY KEY AUTOINCREMENT,
  unit_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  class_id INTEGER NOT NULL REFERENCES access_class,
  scope TEXT NOT NULL,
  acl_owner TEXT NOT NULL,
  acl_groups TEXT NOT NULL,
  doc_id TEXT,
  source_uri TEXT,
  mime TEXT,
  locator TEXT,
  modality TEXT NOT NULL,
  plane TEXT NOT NULL,
  text TEXT,
  metadata TEXT,
  content_sha256 TEXT,
  windows INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unit_by_class ON unit (class_id, plane, windows);
CREATE INDEX unit_by_time ON unit (created_at, unit_id, class_id);

-- Vectors by the hash of the text they stand for: an unchanged text is never embedded again.
CREATE TABLE embedding (
  text_sha256 TEXT NOT NULL,
  model TEXT NOT NULL,
  windows BLOB NOT NULL,
  PRIMARY KEY (text_sha256, model)
) STRICT;

-- One row for each index change that is not yet durable in its index.
CREATE TABLE outbox (
  target TEXT NOT NULL,
  uid INTEGER NOT NULL REFERENCES unit,
  version INTEGER NOT NULL,
  PRIMARY KEY (target, uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  principal_id TEXT NOT NULL,
  key TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (principal_id, key)
) STRICT;

-- WITHOUT ROWID and no NULL: every byte of a row's record then carries meaning, so that verify sees any
-- change. scope, target and detail are JSON.
CREATE TABLE audit (
  seq INTEGER NOT NULL PRIMARY KEY,
  ts INTEGER NOT NULL,
  principal_id TEXT NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  scope TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  row_hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are write-once'); END;
-- REPLACE deletes without firing the trigger on DELETE.
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN NEW.seq <= (SELECT max(seq) FROM audit)
BEGIN SELECT RAISE(ABORT, 'audit rows are write-once'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are write-once'); END;

-- The head of the chain as a signed note, outside the table, so that a cut tail is seen.
CREATE TABLE audit_head (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  note TEXT NOT NULL
) STRICT;
`,
    `
-- A file that Units are made of. Its bytes lie under objects/, by their hash.
CREATE TABLE file (
  file_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  acl_owner TEXT NOT NULL,
  acl_groups TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  mime TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX file_by_object ON file (sha256);

-- Which Units a file gave: a Unit that merely names it as its source opens no file.
CREATE TABLE file_unit (
  uid INTEGER PRIMARY KEY REFERENCES unit,
  file_id TEXT NOT NULL REFERENCES file
) STRICT;
CREATE INDEX unit_by_file ON file_unit (file_id);

CREATE TABLE job (
  job_id TEXT PRIMARY KEY,
  file_id TEXT NOT NULL REFERENCES file,
  state TEXT NOT NULL,
  stage TEXT NOT NULL,
  progress REAL NOT NULL,
  next_part INTEGER NOT NULL,
  units INTEGER NOT NULL,
  created INTEGER NOT NULL,
  notes TEXT NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX job_by_file ON job (file_id, created_at);
CREATE INDEX job_by_state ON job (state, created_at);

-- What a model saw or heard in a Unit: its embedding (f16), and its labels as an inverted index.
CREATE TABLE content (
  uid INTEGER PRIMARY KEY REFERENCES unit,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  embedding BLOB NOT NULL
) STRICT;
CREATE INDEX content_by_kind ON content (kind, model);
CREATE TABLE content_label (
  kind TEXT NOT NULL,
  label INTEGER NOT NULL,
  uid INTEGER NOT NULL REFERENCES unit,
  score REAL NOT NULL,
  PRIMARY KEY (kind, label, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_by_unit ON content_label (uid);

CREATE INDEX unit_by_text ON unit (content_sha256) WHERE content_sha256 IS NOT NULL;

-- Rows that an index still has to let go of, of Units that are gone.
CREATE TABLE removal (
  target TEXT NOT NULL,
  uid INTEGER NOT NULL,
  PRIMARY KEY (target, uid)
) STRICT, WITHOUT ROWID;
`,
    `
-- Rows of the audit chain whose content hangs on it by a salted hash. Rows of the first form have v 1 and neither.
ALTER TABLE audit ADD COLUMN v INTEGER NOT NULL DEFAULT 1;
ALTER TABLE audit ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN content_hash TEXT NOT NULL DEFAULT '';
`,
    `
-- Whether a text is known within some classes is asked of the index alone.
DROP INDEX unit_by_text;
CREATE INDEX unit_by_text ON unit (content_sha256, class_id) WHERE content_sha256 IS NOT NULL;
-- The Units of a class in the order of their uids: what long scans go along, a page at a time.
CREATE INDEX unit_in_class ON unit (class_id);
`,
    `
-- Units that an index cannot take, set aside so that the others go on.
CREATE TABLE quarantine (
  target TEXT NOT NULL,
  uid INTEGER NOT NULL REFERENCES unit,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (target, uid)
) STRICT, WITHOUT ROWID;

-- What a replay of the outbox has in hand. A row that is there at a start names the Units that the process ended with.
CREATE TABLE replay_mark (
  target TEXT PRIMARY KEY,
  first_uid INTEGER NOT NULL,
  last_uid INTEGER NOT NULL,
  attempts INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
    `
-- Counts the commits that changed Units, scopes or access classes, and when either of the latter last changed.
CREATE TABLE revision (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  revision INTEGER NOT NULL,
  scopes INTEGER NOT NULL,
  classes INTEGER NOT NULL
) STRICT;
INSERT INTO revision (only_row, revision, scopes, classes) VALUES (1, 0, 0, 0);

-- Who works on a job, and until when (ms).
ALTER TABLE job ADD COLUMN lease TEXT;
ALTER TABLE job ADD COLUMN lease_until INTEGER;
`,
    `
-- Where a Unit stands in its document: a JSON array of strings, outermost first.
ALTER TABLE unit ADD COLUMN path TEXT;
`,
    `
-- Vectors hang on the hash of what was embedded, which for a Unit with a path is more than its text.
ALTER TABLE unit ADD COLUMN embedded_sha256 TEXT;
UPDATE unit SET embedded_sha256 = content_sha256;
DROP INDEX unit_by_text;
CREATE INDEX unit_by_embedded ON unit (embedded_sha256, class_id) WHERE embedded_sha256 IS NOT NULL;
`,
    `
-- The version of the extractor that read a file; those of before versions were kept count as the first.
ALTER TABLE file ADD COLUMN extractor INTEGER NOT NULL DEFAULT 1;

-- While a file is read again: 'former' Units serve until it is done, 'fresh' ones are taken back if it fails.
ALTER TABLE file_unit ADD COLUMN standing TEXT NOT NULL DEFAULT 'settled';

-- Who asked for a file to be read again, and the version of the extractor that the parts of a job come from.
ALTER TABLE job ADD COLUMN asked_by TEXT;
ALTER TABLE job ADD COLUMN extractor INTEGER;
`,
    `
-- What the listing of files goes along, newest first.
CREATE INDEX file_by_time ON file (created_at, file_id);
`,
    `
-- How many Units and windows each access class has in each plane, and how many pictures and sounds: statistics read these
-- instead of the Units.
CREATE TABLE unit_count (
  class_id INTEGER NOT NULL,
  plane TEXT NOT NULL,
  units INTEGER NOT NULL,
  texts INTEGER NOT NULL,
  windows INTEGER NOT NULL,
  PRIMARY KEY (class_id, plane)
) STRICT, WITHOUT ROWID;
INSERT INTO unit_count SELECT class_id, plane, count(*), count(text), sum(windows) FROM unit GROUP BY class_id, plane;
CREATE TRIGGER unit_counted AFTER INSERT ON unit BEGIN
  INSERT INTO unit_count VALUES (NEW.class_id, NEW.plane, 1, NEW.text IS NOT NULL, NEW.windows) ON CONFLICT DO UPDATE
    SET units = units + 1, texts = texts + excluded.texts, windows = windows + excluded.windows;
END;
CREATE TRIGGER unit_uncounted AFTER DELETE ON unit BEGIN
  UPDATE unit_count SET units = units - 1, texts = texts - (OLD.text IS NOT NULL), windows = windows - OLD.windows
    WHERE class_id = OLD.class_id AND plane = OLD.plane;
END;
CREATE TRIGGER unit_recounted AFTER UPDATE OF class_id, plane, text, windows ON unit BEGIN
  UPDATE unit_count SET units = units - 1, texts = texts - (OLD.text IS NOT NULL), windows = windows - OLD.windows
    WHERE class_id = OLD.class_id AND plane = OLD.plane;
  INSERT INTO unit_count VALUES (NEW.class_id, NEW.plane, 1, NEW.text IS NOT NULL, NEW.windows) ON CONFLICT DO UPDATE
    SET units = units + 1, texts = texts + excluded.texts, windows = windows + excluded.windows;
END;

CREATE TABLE content_count (
  class_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  units INTEGER NOT NULL,
  PRIMARY KEY (class_id, kind, model)
) STRICT, WITHOUT ROWID;
INSERT INTO content_count SELECT class_id, kind, model, count(*) FROM content JOIN unit USING (uid) GROUP BY class_id, kind, model;
CREATE TRIGGER content_counted AFTER INSERT ON content BEGIN
  INSERT INTO content_count SELECT class_id, NEW.kind, NEW.model, 1 FROM unit WHERE uid = NEW.uid
    ON CONFLICT DO UPDATE SET units = units + 1;
END;
CREATE TRIGGER content_uncounted BEFORE DELETE ON content BEGIN
  UPDATE content_count SET units = units - 1
    WHERE class_id = (SELECT class_id FROM unit WHERE uid = OLD.uid) AND kind = OLD.kind AND model = OLD.model;
END;
CREATE TRIGGER content_reclassed AFTER UPDATE OF class_id ON unit WHEN OLD.class_id <> NEW.class_id BEGIN
  UPDATE content_count SET units = units - 1
    WHERE class_id = OLD.class_id AND (kind, model) = (SELECT kind, model FROM content WHERE uid = NEW.uid);
  INSERT INTO content_count SELECT NEW.class_id, kind, model, 1 FROM content WHERE uid = NEW.uid
    ON CONFLICT DO UPDATE SET units = units + 1;
END;

-- What a listing goes along for a caller of few classes: it passes by nothing that the caller may not read.
CREATE INDEX unit_of_class_by_time ON unit (class_id, created_at, unit_id);
-- What has expired is found without the rest.
CREATE INDEX idempotency_by_time ON idempotency (created_at);
`,
    `
-- The models that gave vectors, so that those of another model are noticed without reading all of them.
CREATE TABLE embedding_model (model TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO embedding_model SELECT DISTINCT model FROM embedding;
CREATE TRIGGER embedding_model_noted AFTER INSERT ON embedding
WHEN NOT EXISTS (SELECT 1 FROM embedding_model WHERE model = NEW.model) BEGIN
  INSERT INTO embedding_model VALUES (NEW.model);
END;
`,
    `
-- The numbers in the metadata of Units: what a filter by a range goes along, class by class.
CREATE TABLE metadata_number (
  key TEXT NOT NULL,
  class_id INTEGER NOT NULL,
  value REAL NOT NULL,
  uid INTEGER NOT NULL,
  PRIMARY KEY (key, class_id, value, uid)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER numbers_added AFTER INSERT ON unit WHEN NEW.metadata IS NOT NULL BEGIN
  INSERT INTO metadata_number SELECT key, NEW.class_id, value, NEW.uid FROM json_each(NEW.metadata) WHERE type IN ('integer', 'real');
END;
CREATE TRIGGER numbers_removed AFTER DELETE ON unit WHEN OLD.metadata IS NOT NULL BEGIN
  DELETE FROM metadata_number WHERE (key, class_id, value, uid) IN (SELECT key, OLD.class_id, value, OLD.uid FROM json_each(OLD.metadata) WHERE type IN ('integer', 'real'));
END;
CREATE TRIGGER numbers_changed AFTER UPDATE OF class_id, metadata ON unit
WHEN OLD.class_id <> NEW.class_id OR OLD.metadata IS NOT NEW.metadata BEGIN
  DELETE FROM metadata_number WHERE (key, class_id, value, uid) IN (SELECT key, OLD.class_id, value, OLD.uid FROM json_each(OLD.metadata) WHERE type IN ('integer', 'real'));
  INSERT INTO metadata_number SELECT key, NEW.class_id, value, NEW.uid FROM json_each(NEW.metadata) WHERE type IN ('integer', 'real');
END;
INSERT INTO metadata_number SELECT key, class_id, value, uid FROM unit, json_each(metadata) WHERE json_each.type IN ('integer', 'real');
`,
    `
-- How many Units each file has in each access class.
CREATE TABLE file_class (
  file_id TEXT NOT NULL,
  class_id INTEGER NOT NULL,
  units INTEGER NOT NULL,
  PRIMARY KEY (file_id, class_id)
) STRICT, WITHOUT ROWID;
-- The bytes of all files that have a Unit in a class. A file counts once in each of its classes, so that what is counted too
-- often for a caller of several classes is in shared_file: the files with more than one. The bytes of a file never change.
CREATE TABLE class_bytes (
  class_id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE shared_file (file_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TRIGGER file_class_begun AFTER INSERT ON file_class BEGIN
  INSERT INTO class_bytes SELECT NEW.class_id, bytes FROM file WHERE file_id = NEW.file_id
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
  -- OR IGNORE would give way to what the statement says that fires the trigger.
  INSERT INTO shared_file SELECT file_id FROM file_class WHERE file_id = NEW.file_id AND class_id <> NEW.class_id LIMIT 1
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER file_class_left AFTER UPDATE OF units ON file_class WHEN NEW.units = 0 BEGIN
  DELETE FROM file_class WHERE file_id = NEW.file_id AND class_id = NEW.class_id;
  UPDATE class_bytes SET bytes = bytes - (SELECT bytes FROM file WHERE file_id = NEW.file_id) WHERE class_id = NEW.class_id;
  DELETE FROM shared_file WHERE file_id = NEW.file_id AND (SELECT count(*) FROM file_class WHERE file_id = NEW.file_id) < 2;
END;
CREATE TRIGGER file_unit_counted AFTER INSERT ON file_unit BEGIN
  INSERT INTO file_class SELECT NEW.file_id, class_id, 1 FROM unit WHERE uid = NEW.uid ON CONFLICT DO UPDATE SET units = units + 1;
END;
CREATE TRIGGER file_unit_uncounted AFTER DELETE ON file_unit BEGIN
  UPDATE file_class SET units = units - 1
    WHERE file_id = OLD.file_id AND class_id = (SELECT class_id FROM unit WHERE uid = OLD.uid);
END;
CREATE TRIGGER file_unit_moved AFTER UPDATE OF file_id ON file_unit WHEN OLD.file_id <> NEW.file_id BEGIN
  UPDATE file_class SET units = units - 1
    WHERE file_id = OLD.file_id AND class_id = (SELECT class_id FROM unit WHERE uid = OLD.uid);
  INSERT INTO file_class SELECT NEW.file_id, class_id, 1 FROM unit WHERE uid = NEW.uid ON CONFLICT DO UPDATE SET units = units + 1;
END;
CREATE TRIGGER file_unit_reclassed AFTER UPDATE OF class_id ON unit WHEN OLD.class_id <> NEW.class_id BEGIN
  UPDATE file_class SET units = units - 1
    WHERE file_id = (SELECT file_id FROM file_unit WHERE uid = NEW.uid) AND class_id = OLD.class_id;
  INSERT INTO file_class SELECT file_id, NEW.class_id, 1 FROM file_unit WHERE uid = NEW.uid ON CONFLICT DO UPDATE SET units = units + 1;
END;
INSERT INTO file_class SELECT file_id, class_id, count(*) FROM file_unit JOIN unit USING (uid) GROUP BY file_id, class_id;
`,
  ],
};
