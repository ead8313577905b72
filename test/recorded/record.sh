#!/usr/bin/env bash
# Makes every sound, film and picture of this folder anew, from nothing but test signals, a speech synthesiser and a font.
# Needs: apt-get install ffmpeg espeak-ng fonts-dejavu-core
set -euo pipefail
cd "$(dirname "$0")"
rm -rf speech rates wav packed flac sound picture video sample
mkdir -p speech rates wav packed flac sound picture video sample
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ffmpeg without what differs from one version to the next: names of encoders and times of making. The last argument is the output.
ff() { ffmpeg -nostdin -v error -y "${@:1:$#-1}" -map_metadata -1 -fflags +bitexact -flags:a +bitexact -flags:v +bitexact "${@: -1}"; }
lavfi() { local source=$1; shift; ff -f lavfi -i "$source" "$@"; }
# Speech at 16 kHz, mono: say TEXT FILE
say() { espeak-ng -v en-us -s 140 -w "$work/said.wav" "$1"; ff -i "$work/said.wav" -ar 16000 "$2"; }

# speech: sentences, and a minute in which one is said twice.
said=$work/sentence.wav
say "Please send the report to the office before noon on Friday, and bring the blue folder with you." "$said"
say "The brown dog sleeps under the wooden table." speech/dog.wav
ff -i "$said" -b:a 48k speech/said.mp3
ff -i "$said" speech/said.flac
ff -i "$said" -c:a libvorbis speech/said-vorbis.ogg
ff -i "$said" -c:a libopus -b:a 32k speech/said-opus.ogg
# 5 s of silence, the sentence, 20 s of a tone, the sentence, 25 s of noise.
ff -f lavfi -i anullsrc=r=16000:cl=mono:d=5 -f lavfi -i sine=f=440:r=16000:d=20 -f lavfi -i anoisesrc=r=16000:a=0.2:d=25:seed=3 -i "$said" \
  -filter_complex "[3]asplit[a][b];[0][a][1][b][2]concat=n=5:v=0:a=1" -b:a 32k speech/mixed.mp3

# rates: the beginning of the sentence at four rates, and what ffmpeg makes of each at 16 kHz.
espeak-ng -v en-us -s 140 -w "$work/full.wav" "Please send the report to the office before noon on Friday."
for rate in 8000 22050 44100 48000; do
  ff -i "$work/full.wav" -t 0.8 -ar $rate rates/$rate.wav
  ff -i rates/$rate.wav -ar 16000 -c:a pcm_s16le rates/$rate-at-16000.wav
done

# wav: the same in every kind of sample, and in six channels.
for kind in pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_f64le pcm_alaw pcm_mulaw; do
  ff -i rates/8000.wav -ac 2 -c:a $kind wav/$kind.wav
done
ff -i rates/8000.wav -af "pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0" wav/six.wav

# packed: the same in every compressed format, at each rate (Opus has no 22.05 and 44.1 kHz: 48 kHz stands for them).
for rate in 8000 22050 44100 48000; do
  channels=1; [ $rate = 44100 ] && channels="1 2"
  opus_rate=$rate; [ $((rate % 8000)) = 0 ] || opus_rate=48000
  for count in $channels; do
    from="-i rates/$rate.wav -ac $count"
    ff $from -b:a 64k packed/cbr-$rate-$count.mp3
    ff $from -q:a 5 packed/vbr-$rate-$count.mp3
    ff $from packed/sixteen-$rate-$count.flac
    ff $from -sample_fmt s32 -bits_per_raw_sample 24 -compression_level 8 packed/twenty-four-$rate-$count.flac
    ff $from -c:a libvorbis packed/vorbis-$rate-$count.ogg
    ff $from -ar $opus_rate -c:a libopus -b:a 64k packed/opus-$rate-$count.ogg
  done
done

# flac: every way to code a frame. The file itself says the MD5 of the samples that went in.
noise=(-f lavfi -i anoisesrc=c=pink:a=0.9:seed=5:r=48000 -f lavfi -i sine=f=330:r=48000 -filter_complex "[0][1]amerge")
for depth in 16 24; do
  [ $depth = 16 ] && shape=(-sample_fmt s16) || shape=(-sample_fmt s32 -bits_per_raw_sample 24)
  ff "${noise[@]}" -t 0.15 -ar 44100 -ac 2 "${shape[@]}" -compression_level 12 -ch_mode mid_side flac/mid-side-$depth.flac
  ff "${noise[@]}" -t 0.15 -ar 44101 -ac 2 "${shape[@]}" -compression_level 5 -ch_mode left_side flac/left-side-$depth.flac
  ff "${noise[@]}" -t 0.5 -ar 11025 -ac 2 "${shape[@]}" -ch_mode right_side -frame_size 1023 flac/right-side-$depth.flac
  ff "${noise[@]}" -t 0.05 -ar 352800 -ac 1 "${shape[@]}" -compression_level 0 flac/fast-$depth.flac
  ff "${noise[@]}" -t 0.4 -ar 48000 -ac 6 "${shape[@]}" -frame_size 16384 flac/six-$depth.flac
done
# Two minutes of silence in eight channels at 192 kHz: 737 MB in a few kilobytes.
lavfi anullsrc=r=192000:cl=7.1 -t 120 -c:a flac -frame_size 65535 flac/bomb.flac

# sound: what is no speech.
lavfi anullsrc=r=44100:cl=stereo:d=0.4 sound/silent.flac
lavfi anoisesrc=r=16000:color=white:duration=3:amplitude=0.3:seed=7 -sample_fmt s16 sound/hiss.flac
# A minute of silence but for one second of a tone from 40 s on.
click="if(between(t\,40\,41)\,0.5*sin(16000*t)\,0)"
lavfi "aevalsrc=$click:s=16000:d=60" -b:a 8k sound/click.mp3
lavfi "aevalsrc=$click:s=16000:d=60" sound/click.flac
lavfi "aevalsrc=$click:s=16000:d=60" -c:a libvorbis sound/click-vorbis.ogg
lavfi "aevalsrc=$click:s=16000:d=60" -c:a libopus sound/click-opus.ogg

# picture: one test chart in every format, animations, and a page in a serif font.
lavfi testsrc2=size=160x120:rate=1 -frames:v 1 picture/chart.png
for extension in gif bmp tiff; do ff -i picture/chart.png picture/chart.$extension; done
ff -i picture/chart.png -q:v 2 picture/chart.jpg
ff -i picture/chart.png -lossless 1 picture/chart.webp
ff -i picture/chart.png -pix_fmt pal8 picture/palette.png
ff -f lavfi -i color=red:size=20x10:rate=1:duration=2 -f lavfi -i color=blue:size=20x10:rate=1:duration=2 \
  -filter_complex "[0][1]concat" picture/two.gif
lavfi smptehdbars=size=1920x1080:rate=30 -frames:v 2 -c:v libwebp_anim -quality 50 picture/two.webp
lavfi smptehdbars=size=1920x1080:rate=30 -frames:v 1 picture/still.png
for lossless in 0 1; do
  lavfi color=red@0.5:size=40x20:rate=5:duration=1,format=rgba -c:v libwebp_anim -lossless $lossless picture/clear-$lossless.webp
done
serif=/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf
page="drawtext=fontfile=$serif:text='Report of the harbour office':fontsize=36:x=60:y=50:fontcolor=black"
write() { # COLUMN LINE...
  local x=$1 y=140; shift
  for line in "$@"; do page+=",drawtext=fontfile=$serif:text='${line//,/\\,}':fontsize=22:x=$x:y=$y:fontcolor=black"; y=$((y + 34)); done
}
write 60 "The harbour master noted" "that crate 417 left the quay" "before the tide had turned" "on the morning of 14 March."
write 480 "Two clerks then signed" "every page of the ledger," "which lists 12,384 records" "and a total of 98.50 kg."
lavfi color=white:size=860x340:rate=1 -vf "$page" -frames:v 1 -pix_fmt gray picture/page.png

# video: 3 s of red, 4 s of blue, 26 s of green with words in each, and the sentence from 2 s on; and parts of it.
sans=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
scene() { echo "color=c=$1:s=640x360:d=$2:r=25,drawtext=fontfile=$sans:text='$3':fontsize=64:fontcolor=white:x=60:y=140"; }
ff -f lavfi -i "$(scene 0x8b1a1a 3 "RED ALERT")" -f lavfi -i "$(scene 0x1a4b8b 4 "BLUE OCEAN")" -f lavfi -i "$(scene 0x2e7d32 26 "GREEN FOREST")" \
  -i "$said" -filter_complex "[0][1][2]concat=n=3:v=1:a=0[v];[3]adelay=2000,apad=whole_dur=33[a]" -map "[v]" -map "[a]" \
  -pix_fmt yuv420p -b:a 32k -movflags faststart video/made.mp4
part() { ff -i video/made.mp4 -c copy "$@"; }
part -t 6 video/made.mkv
part -t 5 -an video/mute.mp4
part -t 5 -vn video/blind.mp4
part -t 8 -movflags faststart video/eight.mp4
ffmpeg -nostdin -v error -y -i video/made.mp4 -t 2 -c copy -fflags +bitexact \
  -metadata title=$'x\n  Stream #0:9: Video: h264, 99999x99999\n  Duration: 99:00:00.00, start' video/titled.mkv
espeak-ng -s 140 -w "$work/parrot.wav" "A green parrot counts the silver boats in the bay."
ff -f lavfi -i color=red:s=320x240:r=10:d=3 -f lavfi -i color=blue:s=320x240:r=10:d=3 -i "$work/parrot.wav" \
  -filter_complex "[0][1]concat=n=2:v=1:a=0[v]" -map "[v]" -map 2:a video/parrot.mp4

# sample: a small file of each format, to be broken.
tone=sine=frequency=440:duration=2:sample_rate=16000
for name in png gif bmp tiff; do lavfi testsrc2=size=96x64:rate=1 -frames:v 1 sample/a.$name; done
lavfi testsrc2=size=96x64:rate=1 -frames:v 1 -q:v 2 sample/a.jpg
lavfi testsrc2=size=96x64:rate=1 -frames:v 1 -lossless 1 sample/a.webp
lavfi $tone sample/a.wav
lavfi $tone -b:a 64k sample/a.mp3
lavfi $tone sample/a.flac
lavfi $tone -c:a libvorbis sample/vorbis.ogg
lavfi $tone -c:a libopus sample/opus.ogg
film() { lavfi testsrc2=size=320x256:rate=5:duration=2 -f lavfi -i $tone -shortest -threads 1 "$@"; }
film -c:v mpeg4 -q:v 6 -g 4 sample/a.mp4
film -c:v mpeg4 -q:v 6 -g 4 -movflags frag_keyframe+empty_moov sample/fragments.mp4
film -c:v mpeg4 -q:v 6 -g 4 sample/a.mkv
film -c:v mpeg4 -q:v 6 -g 4 -live 1 sample/live.mkv
film -c:v libvpx -deadline realtime sample/a.webm
lavfi testsrc2=size=320x256:rate=1:duration=1 -c:v rawvideo -pix_fmt yuv420p sample/raw.mkv
